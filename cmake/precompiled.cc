// Makes the precompiled header; it defines nothing.
