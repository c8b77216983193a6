import { operands, placed, type MutatedPath, transfer } from './mutated-path.ts'

/** What `ln` puts somewhere: with one name only, under its last part here. */
export function linked(words: readonly string[]): readonly MutatedPath[] {
  const { sources, target } = transfer(words)
  return placed(sources, target ?? '.')
}

/** Letters of `tar` with a value, which stands in the next word where they stand in one without a dash. */
const TAR_VALUES = 'bCfFgHIKLNTVX'

/** What `tar` unpacks: into a folder, what it is asked for in it. */
export function unpackedTar(words: readonly string[]): readonly MutatedPath[] {
  const [, first = ''] = words
  const isBundled = !first.startsWith('-')
  const unpacks = (word: string): boolean =>
    /^(?:-\w*x|--(?:ext|get))/.test(word) || (isBundled && word === first && word.includes('x'))
  if (!words.slice(1).some(unpacks)) return []
  const bundled = Array.from(isBundled ? first : '')
    .filter((letter) => TAR_VALUES.includes(letter))
    .flatMap((letter, index) => (letter === 'C' ? (words[index + 2] ?? []) : []))
  const folder = [...bundled, ...valuesOf(words, /^(?:-\w*C|--dir\w*)$/, /^(?:-\w*?C|--dir\w*=)(.+)$/)].join('/')
  return within(folder, operands(words))
}

export function unpackedZip(words: readonly string[]): readonly MutatedPath[] {
  if (/^-\w*[lptvzZ]/.test(words[1] ?? '')) return []
  return within(valuesOf(words, /^-\w*d$/, /^-d(.+)$/).at(-1) ?? '', operands(words))
}

export function unpacked7z(words: readonly string[]): readonly MutatedPath[] {
  if (!/^[ex]$/.test(words[1] ?? '')) return []
  return within(valuesOf(words, /^$/, /^-o(.+)$/).at(-1) ?? '', operands(words))
}

export function patched(words: readonly string[]): readonly MutatedPath[] {
  return within(valuesOf(words, /^(?:-\w*d|--directory)$/, /^(?:-\w*?d|--directory=)(.+)$/).at(-1) ?? '', [])
}

/** A mount hides what is at its place. */
export function mounted(words: readonly string[]): readonly MutatedPath[] {
  const paths = operands(words)
  return paths.length < 2 ? [] : [{ path: paths.at(-1)! }]
}

/** Something goes into a folder, the working folder where none is named, perhaps under these names. */
function within(folder: string, names: readonly string[]): readonly MutatedPath[] {
  const inside = names.map((name) => (folder === '' || name.startsWith('/') ? name : `${folder}/${name}`))
  return [folder === '' ? '.' : folder, ...inside].map((path) => ({ path, into: true }))
}

/** The values of an option, in the next word or in the same. */
function valuesOf(words: readonly string[], apart: RegExp, together: RegExp): readonly string[] {
  return words.flatMap((word, index) =>
    apart.test(word) ? (words[index + 1] ?? []) : (together.exec(word)?.[1] ?? []),
  )
}
