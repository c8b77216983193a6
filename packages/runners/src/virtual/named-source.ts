import type { TransformPlugin } from 'just-bash'

/**
 * Puts the name of a script where it asks for `BASH_SOURCE`, which the shell leaves empty: it is how scripts find the files
 * beside them. A file that is sourced is not read again here; one that asks for it is refused.
 */
export const namedSource: TransformPlugin = {
  name: 'named-source',
  transform({ ast }) {
    rename(ast)
    return { ast }
  },
}

function rename(value: unknown): void {
  if (typeof value !== 'object' || value === null) return
  for (const each of Object.values(value)) rename(each)
  if ('type' in value && value.type === 'ParameterExpansion' && 'parameter' in value)
    if (value.parameter === 'BASH_SOURCE' || value.parameter === 'BASH_SOURCE[0]') value.parameter = '0'
}
