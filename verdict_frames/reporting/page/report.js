// The page's own script. What others have written is only ever set as text: nothing here parses HTML.
const read = (id) => JSON.parse(document.getElementById(id).textContent);
const element = (name, text, attributes = {}) => {
  const made = document.createElement(name);
  if (text !== undefined) made.textContent = text;
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  return made;
};
// DataTables decodes entities of what it searches by parsing it, so it gets text that stays text when it is parsed
const asSearched = (text) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
const many = new Intl.NumberFormat("en");
const LONG = 600;
const WIDE = 40;

// "0-3,7" → 0, 1, 2, 3, 7
const membersOf = (ranges) => {
  const members = new Set();
  for (const range of ranges === "" ? [] : ranges.split(",")) {
    const [first, last = first] = range.split("-").map(Number);
    for (let item = first; item <= last; item += 1) members.add(item);
  }
  return members;
};

const items = read("items-data");
const selections = read("selections-data");
const columns = items.columns;
const valueOf = (column, item) => column.values[column.places[item]];

// what is packed is compressed, as base 64
const unpack = async (letters) => {
  const bytes = Uint8Array.from(atob(letters), (letter) => letter.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  return new Response(stream).text();
};

const library = await unpack(read("library-data"));
const address = URL.createObjectURL(new Blob([library], { type: "text/javascript" }));
const { default: DataTable } = await import(address);
URL.revokeObjectURL(address);
DataTable.ext.errMode = "throw";

const named = (made, name) => {
  made.table().container().querySelector(".dt-paging nav")?.setAttribute("aria-label", `Pages of ${name}`);
  return made;
};

// Tables that stand in the page

const tables = [];
for (const table of document.querySelectorAll("table.sortable")) {
  const rows = table.tBodies[0].rows.length;
  const made = new DataTable(table, {
    order: [],
    autoWidth: false,
    paging: rows > 25,
    pageLength: 25,
    info: rows > 25,
    language: { info: "_START_ to _END_ of _TOTAL_", infoFiltered: "(of _MAX_)" },
    searching: rows > 8,
    layout: {
      topStart: rows > 8 ? { search: { placeholder: "filter rows", text: "Filter _INPUT_" } } : null,
      topEnd: null,
      bottomStart: rows > 25 ? "info" : null,
      bottomEnd: rows > 25 ? "paging" : null,
    },
  });
  tables.push(named(made, table.caption.textContent));
}

// The table of items

const packOf = new Map();
for (const [ranges, pack] of read("details-data")) for (const item of membersOf(ranges)) packOf.set(item, pack);
const detailOf = async (item) => new Map(JSON.parse(await unpack(packOf.get(item)))).get(item);

const shownCell = (column, place, item) => {
  const value = valueOf(column, item);
  if (value === null) return element("span", column.number ? "–" : place ? "not recorded" : "–", { class: "none" });
  const text = typeof value === "number" ? many.format(value) : value.trim() === "" ? "(blank)" : value;
  const shown = element("bdi", text, text.length > WIDE ? { class: "wide" } : {});
  if (place > 0 || !packOf.has(item)) return shown;
  const link = element("a", undefined, { href: `#${items.thing}-${item}` });
  link.append(shown);
  return link;
};
const table = new DataTable("#item-table", {
  data: Array.from({ length: items.count }, (_, item) => [item]),
  columns: columns.map((column, place) => ({
    title: column.label,
    type: column.number ? "num" : "string",
    className: column.number ? "number" : "",
    data: null,
    render: (_, purpose, [item]) => {
      if (purpose === "display") return shownCell(column, place, item);
      const value = valueOf(column, item);
      if (purpose === "filter") return asSearched(String(value ?? ""));
      return value ?? "";
    },
  })),
  order: [],
  deferRender: true,
  autoWidth: false,
  pageLength: 25,
  lengthMenu: [25, 100, 500],
  language: { lengthMenu: "_MENU_ per page", info: `_START_ to _END_ of _TOTAL_ ${items.thing}s`, infoFiltered: "(of _MAX_)" },
  layout: {
    topStart: { search: { placeholder: "name, reading, bucket …", text: "Filter _INPUT_" } },
    topEnd: "pageLength",
    bottomStart: "info",
    bottomEnd: "paging",
  },
});

tables.push(named(table, `${items.thing}s`));

let chosen = null;
let place = "#items";
table.search.fixed("selection", (_, [item]) => chosen === null || chosen.has(item));

const select = (number) => {
  const [label, ranges] = number === null ? ["", ""] : selections[number];
  chosen = number === null ? null : membersOf(ranges);
  table.search("").draw();
  const status = document.getElementById("chosen");
  status.replaceChildren();
  if (chosen === null) return;
  const noun = chosen.size === 1 ? items.thing : `${items.thing}s`;
  status.append(element("strong", `${many.format(chosen.size)} ${noun}: `), element("bdi", label), " ");
  status.append(element("a", `Show all ${items.thing}s`, { href: "#items" }));
};
const goToItems = () => {
  const heading = document.getElementById("items");
  heading.scrollIntoView();
  heading.focus({ preventScroll: true });
};

// One item, opened

const dialog = document.getElementById("detail");
const prose = (text) => {
  if (text.length <= LONG) return element("p", text, { class: "recorded", dir: "auto" });
  const whole = element("details");
  whole.append(element("summary", `${text.slice(0, 120)}… (${many.format(text.length)} characters)`));
  whole.append(element("p", text, { class: "recorded", dir: "auto" }));
  return whole;
};
const tree = ([title, facts, text, parts], level) => {
  const section = element("section");
  section.append(element(`h${Math.min(level, 6)}`, title, level === 2 ? { id: "detail-title", tabindex: "-1" } : {}));
  if (facts.length > 0) {
    const list = element("dl");
    for (const [name, value] of facts) {
      const pair = element("div");
      const said = element("dd");
      said.append(value === "" ? element("span", "–", { class: "none" }) : value.length > LONG ? prose(value) : element("bdi", value));
      pair.append(element("dt", name), said);
      list.append(pair);
    }
    section.append(list);
  }
  if (text !== "") section.append(prose(text));
  for (const part of parts) section.append(tree(part, level + 1));
  return section;
};
const open = async (item) => {
  if (!packOf.has(item)) return;
  const detail = await detailOf(item);
  if (location.hash !== `#${items.thing}-${item}`) return; // another place was gone to meanwhile
  dialog.querySelector(".content").replaceChildren(tree(detail, 2));
  if (!dialog.open) dialog.showModal();
  dialog.scrollTop = 0;
};
dialog.querySelector(".close").addEventListener("click", () => dialog.close());
dialog.addEventListener("click", (event) => {
  if (event.target === dialog) dialog.close();
});
dialog.addEventListener("close", () => {
  if (location.hash.startsWith(`#${items.thing}-`)) history.replaceState(null, "", place);
});

// Addresses: #selection-N, #item-N, #items, or a section of the page

const follow = () => {
  const [, kind, number] = /^#(\w+)-(\d+)$/.exec(location.hash) ?? [];
  if (kind === items.thing) {
    open(Number(number));
    return;
  }
  if (dialog.open) dialog.close();
  if (kind === "selection" && selections[number] !== undefined) {
    place = location.hash;
    select(Number(number));
    goToItems();
  } else if (location.hash === "#items") {
    place = "#items";
    select(null);
    goToItems();
  }
};
addEventListener("hashchange", follow);
follow();

// On paper tables are printed in full, as long as that stays within reason

const MOST_PRINTED = 300;
let lengths = [];
addEventListener("beforeprint", () => {
  for (const folded of document.querySelectorAll("details.folded, details.columns")) folded.open = true;
  lengths = tables.map((made) => made.page.len());
  for (const made of tables) {
    if (made.rows({ search: "applied" }).count() <= MOST_PRINTED) made.page.len(-1).draw(false);
  }
});
addEventListener("afterprint", () => tables.forEach((made, place) => made.page.len(lengths[place]).draw(false)));
document.documentElement.classList.add("ready");
