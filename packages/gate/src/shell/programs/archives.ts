import { applyPatch, packZip, unpack7z, unpackTar, unpackZip } from '../mutators/unpack.ts'
import { list, type Program } from './program.ts'

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
