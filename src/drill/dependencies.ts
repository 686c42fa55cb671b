// Folders of installed packages, which no project commits and every check needs. Build outputs are not among them.

export const dependencyFolders: readonly string[] = ["node_modules", ".venv", "venv", "vendor/bundle", ".tox", "deps"];
