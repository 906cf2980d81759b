"""One public `plot_*` per file; a frame or result in, matplotlib Axes out."""
