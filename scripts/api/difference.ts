const DECLARED = /^(?:export )?(?:abstract )?(?:function|const|let|class|interface|type|enum) (\w+)/

/**
 * What two snapshots of an entry differ in, for a person: each name that was added, removed or changed, with the lines
 * that are gone (`-`) and new (`+`). Empty where they are the same.
 */
export function apiDifference(before: string, after: string): readonly string[] {
  const [old, current] = [blocksOf(before), blocksOf(after)]
  const names = [...new Set([...old.keys(), ...current.keys()])]
  return names.flatMap((name) => {
    const [is, should] = [old.get(name) ?? [], current.get(name) ?? []]
    if (is.join('\n') === should.join('\n')) return []
    const what = is.length === 0 ? 'added' : should.length === 0 ? 'removed' : 'changed'
    return [
      `${what}: ${name}`,
      ...without(is, should).map((line) => `  - ${line}`),
      ...without(should, is).map((line) => `  + ${line}`),
    ]
  })
}

function without(lines: readonly string[], others: readonly string[]): readonly string[] {
  return lines.filter((line) => !others.includes(line))
}

/** The lines of each declaration by its name, and of everything else but headings by its first line. */
function blocksOf(snapshot: string): ReadonlyMap<string, readonly string[]> {
  const blocks = new Map<string, readonly string[]>()
  for (const block of snapshot.split(/\n{2,}/)) {
    if (block.trim() === '' || block.startsWith('// ')) continue
    const lines = block.trim().split('\n')
    const name = lines[0]!.startsWith('import ') ? 'imports' : (DECLARED.exec(lines[0]!)?.[1] ?? lines[0]!)
    blocks.set(name, [...(blocks.get(name) ?? []), ...lines])
  }
  return blocks
}
