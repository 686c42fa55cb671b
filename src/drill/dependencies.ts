// Folders of installed packages, which no project keeps and every check needs. What a build writes to is not among them.

export const dependencyFolders: readonly string[] = ["node_modules", ".venv", "venv", "vendor/bundle", ".tox", "deps"];
