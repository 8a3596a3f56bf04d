"""Root signatures as such: from every source, to every form, compared, and made for given shaders."""
