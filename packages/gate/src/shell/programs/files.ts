import { findUnsafeWord, type UnsafeWords } from '../unsafe-use.ts'
import { FIND } from './find.ts'
import { list, type PrefixJudge, type Program, runsOrWrites } from './program.ts'
import { copy, link, mirror, mount, move, remove, removeBy, replaceWindowsOperand } from './transfer.ts'

const EXIFTOOL: UnsafeWords = {
  // Names of tags, and switches. What sets a tag, or is a condition or a filter, may be Perl, or move the file.
  known:
    /^-(?!(?:config|if\d*|api|userparam|o|out|w|w\d|textout\d?|tagout\d?|efile\d*|argfile|execute\d*|stay_open|srcfile|geotag|z|geosync|htmldump\d*)$)\w[\w:*?-]*#?$/i,
  // In a format, what stands behind a name in braces is Perl. A line break ends nothing there.
  shape: /\$(?!\w|\{[\w:]+#?\})|^[@+]/,
}

const judgeExiftool: PrefixJudge = (words) => {
  // A format may be the name of a file with one, of which the text says nothing.
  const format = words.findIndex(
    (word, index) => /^-(?:p|printformat)-?$/i.test(word) && words[index + 1]?.startsWith('$') !== true,
  )
  const word = words[format] ?? findUnsafeWord(words.slice(1), EXIFTOOL)
  return word === undefined ? undefined : runsOrWrites(word, 'exiftool')
}

/** Programs that remove, move, copy, link, find, list and compare files. */
export const FILES: readonly Program[] = [
  {
    names: list('rm rmdir unlink trash trash-put rimraf del-cli srm del erase rd remove-item ri'),
    mutates: remove,
    examples: { mutates: [['rm -r a b', 'b']] },
  },
  {
    names: ['gio'],
    unsafe: { runningSubcommands: ['launch', 'open', 'mime', 'mount'] },
    mutates: remove,
    examples: { permitted: ['gio list x'], refused: ['gio launch x', 'gio open x'], mutates: [['gio trash a', 'a']] },
  },
  {
    names: list('mv move ren rename move-item mi rename-item rni'),
    mutates: move,
    examples: {
      mutates: [
        ['mv a b', 'a'],
        ['mv a b', 'b'],
        ['mv c/a .', './a'],
      ],
    },
  },
  {
    names: list('cp copy xcopy copy-item cpi'),
    mutates: copy,
    examples: {
      mutates: [
        ['cp a b', 'b/a'],
        ['cp -r a b', 'b'],
      ],
    },
  },
  {
    names: ['install'],
    unsafe: { options: ['--strip-program'] },
    mutates: copy,
    examples: {
      permitted: ['install -m 755 a b'],
      refused: ['install -s --strip-program=id a b'],
      mutates: [['install a b', 'b/a']],
    },
  },
  {
    names: ['scp'],
    exactOnly: 'runs-programs',
    mutates: copy,
    examples: { refused: ['scp a b:c'], mutates: [['scp -r x:a b', 'b']] },
  },
  {
    names: ['ln', 'link'],
    mutates: link,
    examples: {
      mutates: [
        ['ln -s b a', 'a'],
        ['ln -s ../a', './a'],
      ],
    },
  },
  {
    names: ['exch'],
    mutates: remove,
    examples: { mutates: [['exch a b', 'a']] },
  },
  // Its options may run programs.
  {
    names: ['rclone'],
    optionsUnknown: true,
    mutates: removeBy(...list('move moveto purge delete deletefile rmdir rmdirs sync bisync cleanup')),
    examples: {
      mutates: [
        ['rclone move a b:c', 'a'],
        ['rclone sync b:c a', 'a'],
      ],
      harmless: ['rclone copy a b:c', 'rclone ls a'],
    },
  },
  // What it makes is named first.
  { names: ['mklink'], mutates: replaceWindowsOperand(0), examples: { mutates: [['mklink /d a b', 'a']] } },
  { names: ['robocopy'], mutates: replaceWindowsOperand(1), examples: { mutates: [['robocopy b a /mir', 'a']] } },
  { names: ['ditto'], mutates: mirror, examples: { mutates: [['ditto b a', 'a']] } },
  {
    names: ['rsync'],
    unsafe: {
      options: list(
        '--rsh --rsync-path --remote-option --daemon --config --dparam --log-file --write-batch --only-write-batch',
      ),
      letters: 'eM',
    },
    mutates: mirror,
    examples: {
      permitted: ['rsync -avz a b'],
      refused: ['rsync -ave id a b', 'rsync --rsh=id a b', 'rsync --write-batch=x a b'],
      mutates: [
        ['rsync -a b/ a', 'a'],
        ['rsync -a --delete b/ a', 'a'],
        ['rsync --remove-source-files a b', 'a'],
      ],
    },
  },
  {
    names: ['mount'],
    // A kind of file system, and some of its options, name the program that mounts it.
    unsafe: { options: ['--types', '--options', '--fstab'], letters: 'toT' },
    mutates: mount,
    examples: {
      permitted: ['mount --bind a b'],
      refused: ['mount -t fuse.x a b'],
      mutates: [['mount --bind b a', 'a']],
      harmless: ['mount'],
    },
  },
  FIND,
  {
    names: ['fd', 'fdfind'],
    unsafe: { options: ['--exec', '--exec-batch'], letters: 'xX' },
    wraps: { options: ['-x', '-X', '--exec', '--exec-batch'] },
    examples: {
      permitted: ['fd -e ts'],
      refused: ['fd x -x id', 'fd x --exec-b id'],
      mutates: [
        ['fd x -x rm -r a', 'a'],
        ['fd -HX rm -r a', 'a'],
        ['fd --exec=rm -r a', 'a'],
      ],
      harmless: ['fd rm a'],
    },
  },
  {
    names: ['file'],
    unsafe: { options: ['--compile'], letters: 'C', valued: 'm' },
    readsOnly: true,
    examples: { permitted: ['file -b x'], refused: ['file -C -m x'] },
  },
  {
    names: ['tree'],
    unsafe: { letters: 'oR' },
    examples: { permitted: ['tree -L 2'], refused: ['tree -o x'] },
  },
  {
    names: ['sdiff'],
    unsafe: { options: ['--diff-program', '--output'], letters: 'o' },
    examples: { permitted: ['sdiff a b'], refused: ['sdiff --diff-program=id a b'] },
  },
  {
    names: ['diff3'],
    unsafe: { options: ['--diff-program'] },
    examples: { permitted: ['diff3 a b c'], refused: ['diff3 --diff-program=id a b c'] },
  },
  {
    names: ['exiftool'],
    judge: judgeExiftool,
    examples: {
      permitted: ['exiftool -json -ImageSize x', "exiftool -p '$FileName ${ImageSize}' x"],
      refused: [
        'exiftool -config x y',
        "exiftool -p '${a;b}'",
        "exiftool -p '${a\n;b}'",
        'exiftool -p x y',
        'exiftool -p- x y',
        'exiftool -printFormat x y',
        "exiftool -p './$x' y",
        'exiftool -IF x y',
        'exiftool -@ x',
        'exiftool -w! x y',
        'exiftool -FileName=../x y',
        "exiftool '-Comment<${a;b}' x",
      ],
    },
  },
  {
    names: ['cloc'],
    unsafe: {
      syntax: 'Getopt::Long',
      options: list(
        '--vcs --extract-with --config --out --report-file --sql --sql-append --write-lang-def --write-lang-def-incl-dup ' +
          '--categorized --counted --found --ignored --diff-alignment --strip-code --strip-comments --original-dir --sdir ' +
          '--use-sloccount --git-diff-all --git-diff-rel --git --read-lang-def --force-lang-def --unicode --xsl',
      ),
      harmless: ['--csv'],
    },
    examples: {
      permitted: ['cloc src --json', 'cloc --by-file --exclude-dir=x src'],
      refused: [
        'cloc --vcs=id x',
        'cloc -VCS id x',
        'cloc -Vc=id x',
        'cloc +extract-with=id x',
        'cloc --REPORT_FILE=x y',
      ],
    },
  },
]
