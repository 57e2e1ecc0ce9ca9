"""Reading of files: XML, names, poses and meshes, which several formats have in common."""
