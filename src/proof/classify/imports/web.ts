// What a web page or a style sheet loads.
import { folderOf, joined } from "../paths.ts";
import type { Tree } from "../tree.ts";

const inPage = /\b(?:src|href)\s*=\s*["']([^"'\n?#]{1,300})/gi;
const inStyles = /@(?:import|use|forward)\s+(?:url\()?["']([^"'\n?#]{1,300})|\burl\(\s*["']?([^"')\n?#]{1,300})/gi;

export function linkedFiles(path: string, text: string, tree: Tree): readonly string[] {
  const pattern = /\.html?$/i.test(path) ? inPage : /\.(?:css|scss|sass|less)$/i.test(path) ? inStyles : null;
  if (pattern === null) return [];
  return Array.from(text.matchAll(pattern), (match) => match[1] ?? match[2] ?? "").flatMap((link) => {
    const places = link.startsWith("/") ? [link.slice(1), `public${link}`] : [joined(folderOf(path), link) ?? ""];
    return places.filter((place) => tree.has(place));
  });
}
