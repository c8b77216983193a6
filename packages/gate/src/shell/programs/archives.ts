import { list, type MutatedPath, type Program } from './program.ts'
import { pathOperands, remove } from './transfer.ts'

/** Letters of `tar` with a value, which is a word behind where the letters stand in a word without a dash. */
const TAR_VALUED = 'bCfFgHIKLNTVX'

/** `tar` unpacks into a folder: everything, or what it is asked for. It may remove what it has packed. */
function unpackTar(words: readonly string[]): readonly MutatedPath[] {
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

function unpackZip(words: readonly string[]): readonly MutatedPath[] {
  if (/^-\w*[lptvzZ]/.test(words[1] ?? '')) return []
  return putInto(valuesOf(words, /^-\w*d$/, /^-d(.+)$/).at(-1) ?? '', pathOperands(words))
}

function unpack7z(words: readonly string[]): readonly MutatedPath[] {
  if (words.includes('-sdel')) return remove(words)
  if (!/^[ex]$/.test(words[1] ?? '')) return []
  return putInto(valuesOf(words, /^$/, /^-o(.+)$/).at(-1) ?? '', pathOperands(words))
}

/** `zip` may remove what it has packed. */
function packZip(words: readonly string[]): readonly MutatedPath[] {
  return words.some((word) => /^(?:-[A-Za-z]*m|--mo)/.test(word)) ? remove(words) : []
}

/** `patch` may change any file below its folder. */
function applyPatch(words: readonly string[]): readonly MutatedPath[] {
  return putInto(valuesOf(words, /^(?:-\w*d|--directory)$/, /^(?:-\w*?d|--directory=)(.+)$/).at(-1) ?? '', [])
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

/** An archive on another machine, which a remote shell fetches. */
const REMOTE_ARCHIVE = /^[^/]*:/

/** Programs that pack and unpack. */
export const ARCHIVES: readonly Program[] = [
  {
    names: ['tar', 'gtar', 'bsdtar'],
    unsafe: {
      options: [
        '--checkpoint-action',
        '--to-command',
        '--use-compress-program',
        '--info-script',
        '--new-volume-script',
        '--rsh-command',
        '--rmt-command',
        // Where the next volume is asked for, "!" runs a shell.
        '--multi-volume',
        '--tape-length',
        // Names in such a list that begin with a dash are read as options.
        '--files-from',
        '--index-file',
        '--listed-incremental',
        '--volno-file',
        '--remove-files',
      ],
      harmless: ['--file', '--list'],
      letters: 'FgILMT',
      valued: 'Cf',
      bundled: true,
      shape: REMOTE_ARCHIVE,
    },
    mutates: unpackTar,
    examples: {
      permitted: ['tar -tvf t.tar', 'tar --file=a.tar --list'],
      refused: ['tar xf a --to-command=id', 'tar xIf id x', 'tar -tf host:x', 'tar -cL 10 -f a b'],
      mutates: [
        ['tar xf b -C a', 'a'],
        ['tar xfC b a', 'a'],
        ['tar --remove-files -cf b a', 'a'],
      ],
      harmless: ['tar -tf b a'],
    },
  },
  {
    names: ['zstd', 'unzstd'],
    unsafe: { options: ['--trace'] },
    examples: { permitted: ['zstd -19 x'], refused: ['zstd --trace x y'] },
  },
  {
    names: ['cpio'],
    unsafe: { options: ['--rsh-command'], shape: REMOTE_ARCHIVE },
    examples: { permitted: ['cpio -t -F x'], refused: ['cpio -t --rsh-command=id', 'cpio -t -F host:x'] },
  },
  {
    names: ['zip'],
    unsafe: { options: ['--unzip-command', '--logfile-path', '--test'], letters: 'T', words: ['-lf'] },
    mutates: packZip,
    examples: {
      mutates: [
        ['zip -rm x.zip a', 'a'],
        ['zip --move x.zip a', 'a'],
      ],
      harmless: ['zip -r x.zip a'],
      permitted: ['zip -r a.zip x'],
      refused: ['zip x y -T -TT id', 'zip x y --test'],
    },
  },
  { names: ['unzip'], mutates: unpackZip, examples: { mutates: [['unzip b -d a', 'a']], harmless: ['unzip -l b a'] } },
  {
    names: list('7z 7za 7zz'),
    mutates: unpack7z,
    examples: {
      mutates: [
        ['7z x b -oa', 'a'],
        ['7z a -sdel b a', 'a'],
      ],
      harmless: ['7z l b a'],
    },
  },
  {
    names: ['patch'],
    unsafe: { options: ['--ed', '--get', '--output', '--reject-file', '--directory'], letters: 'edgor', valued: 'pFi' },
    mutates: applyPatch,
    examples: {
      permitted: ['patch -p1 -i x.diff'],
      refused: ['patch -e x y', 'patch -o x y'],
      mutates: [['patch -p1 -d a', 'a']],
    },
  },
]
