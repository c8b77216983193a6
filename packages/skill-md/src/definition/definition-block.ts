import type { SkillDefinition } from '../ports/manifest.ts'

type YamlLibrary = typeof import('yaml')

/**
 * Returns candidate bodies for a definition, the most readable first. The caller must parse a candidate to verify it: the
 * text of a script may itself look like a mapping.
 */
export function renderBlocks(definition: SkillDefinition, library: YamlLibrary): readonly string[] {
  if (definition.type === 'instruction') return [definition.content]
  if (definition.type === 'composite') {
    const steps = definition.steps.map(({ tool, description, parameters, ...rest }) => ({
      tool,
      ...(description !== undefined && { description }),
      ...(Object.keys(parameters).length > 0 && { parameters }),
      ...rest,
    }))
    return asMapping({ steps }, library)
  }
  const { type, ...parts } = definition
  const texts =
    type === 'script'
      ? [fenced(definition.language ?? '', definition.script)]
      : [fenced('', definition.template), fenced('text', definition.template)]
  return [...texts, ...asMapping(parts, library)]
}

function asMapping(value: object, { stringify }: YamlLibrary): readonly string[] {
  const yaml = stringify(value, { lineWidth: 0, aliasDuplicateObjects: false, version: '1.2' })
  // A block scalar may end with line feeds that are part of it; only the very last one ends the block's last line.
  return [fenced('yaml', yaml.replace(/\n$/, '')), fenced('json', JSON.stringify(value, undefined, 2))]
}

/** Returns a code block whose fence is longer than any in the text. */
function fenced(language: string, text: string): string {
  let length = 3
  for (const [run] of text.matchAll(/`{3,}/g)) length = Math.max(length, run.length + 1)
  const fence = '`'.repeat(length)
  return `\n${fence}${language}\n${text}\n${fence}\n`
}
