import type { MutatedPath } from '../mutated-path.ts'
import { pathOperands, remove } from './transfer.ts'

/** Letters of `tar` with a value, which is a word behind where the letters stand in a word without a dash. */
const TAR_VALUED = 'bCfFgHIKLNTVX'

/** `tar` unpacks into a folder: everything, or what it is asked for. It may remove what it has packed. */
export function unpackTar(words: readonly string[]): readonly MutatedPath[] {
  if (words.some((word) => word.startsWith('--remove-f'))) return remove(words)
  const [, first = ''] = words
  const isBundled = !first.startsWith('-')
  const unpacks = (word: string): boolean =>
    /^(?:-\w*x|--(?:ext|get))/.test(word) || (isBundled && word === first && word.includes('x'))
  if (!words.slice(1).some(unpacks)) return []
  const bundled = Array.from(isBundled ? first : '')
    .filter((letter) => TAR_VALUED.includes(letter))
    .flatMap((letter, index) => (letter === 'C' ? (words[index + 2] ?? []) : []))
  const folder = [...bundled, ...valuesOf(words, /^(?:-\w*C|--dir\w*)$/, /^(?:-\w*?C|--dir\w*=)(.+)$/)].join('/')
  return putInto(folder, pathOperands(words))
}

export function unpackZip(words: readonly string[]): readonly MutatedPath[] {
  if (/^-\w*[lptvzZ]/.test(words[1] ?? '')) return []
  return putInto(valuesOf(words, /^-\w*d$/, /^-d(.+)$/).at(-1) ?? '', pathOperands(words))
}

export function unpack7z(words: readonly string[]): readonly MutatedPath[] {
  if (words.includes('-sdel')) return remove(words)
  if (!/^[ex]$/.test(words[1] ?? '')) return []
  return putInto(valuesOf(words, /^$/, /^-o(.+)$/).at(-1) ?? '', pathOperands(words))
}

/** `zip` may remove what it has packed. */
export function packZip(words: readonly string[]): readonly MutatedPath[] {
  return words.some((word) => /^(?:-[A-Za-z]*m|--mo)/.test(word)) ? remove(words) : []
}

/** `patch` may change any file below its folder. */
export function applyPatch(words: readonly string[]): readonly MutatedPath[] {
  return putInto(valuesOf(words, /^(?:-\w*d|--directory)$/, /^(?:-\w*?d|--directory=)(.+)$/).at(-1) ?? '', [])
}

/** A mount hides what is at its place. */
export function mount(words: readonly string[]): readonly MutatedPath[] {
  const paths = pathOperands(words)
  return paths.length < 2 ? [] : [{ path: paths.at(-1)! }]
}

/** Something goes into a folder, by default the working folder, perhaps under these names. */
function putInto(folder: string, names: readonly string[]): readonly MutatedPath[] {
  const inside = names.map((name) => (folder === '' || name.startsWith('/') ? name : `${folder}/${name}`))
  return [folder === '' ? '.' : folder, ...inside].map((path) => ({ path, into: true }))
}

/** The values of an option, in the next word or in the same one. */
function valuesOf(words: readonly string[], separate: RegExp, attached: RegExp): readonly string[] {
  return words.flatMap((word, index) =>
    separate.test(word) ? (words[index + 1] ?? []) : (attached.exec(word)?.[1] ?? []),
  )
}
