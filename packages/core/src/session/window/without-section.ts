/** Removes a section with the empty line before it: the last one, since a host's own prompt comes before those of skills. */
export function withoutSection(system: string, section: string): string {
  for (let at = system.lastIndexOf(section); at !== -1; at = at === 0 ? -1 : system.lastIndexOf(section, at - 1)) {
    const end = at + section.length
    // The heading of a skill may begin with that of another one, which has no description.
    if (end < system.length && system[end] !== '\n') continue
    return system.slice(0, at).replace(/\n\n$/, '') + system.slice(end)
  }
  return system
}
