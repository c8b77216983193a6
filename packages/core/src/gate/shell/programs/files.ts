import { mutateByFind } from '../mutators/find.ts'
import { copy, link, mirror, move, remove, replaceWindowsOperand } from '../mutators/transfer.ts'
import { mount } from '../mutators/unpack.ts'
import { list, type Program } from './program.ts'

/** Programs that remove, move, copy, link, find, list and compare files. */
export const FILES: readonly Program[] = [
  {
    names: list('rm rmdir unlink trash trash-put rimraf del-cli srm del erase rd remove-item ri gio'),
    mutates: remove,
    examples: { mutates: [['rm -r a b', 'b']] },
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
    names: list('cp copy xcopy copy-item cpi install'),
    mutates: copy,
    examples: {
      mutates: [
        ['cp a b', 'b/a'],
        ['cp -r a b', 'b'],
      ],
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
  // What it makes is named first.
  { names: ['mklink'], mutates: replaceWindowsOperand(0), examples: { mutates: [['mklink /d a b', 'a']] } },
  { names: ['robocopy'], mutates: replaceWindowsOperand(1), examples: { mutates: [['robocopy b a /mir', 'a']] } },
  { names: ['ditto'], mutates: mirror, examples: { mutates: [['ditto b a', 'a']] } },
  {
    names: ['rsync'],
    unsafe: {
      options: ['--rsh', '--rsync-path', '--remote-option', '--daemon', '--config', '--dparam', '--log-file'],
      letters: 'eM',
    },
    mutates: mirror,
    examples: {
      permitted: ['rsync -avz a b'],
      refused: ['rsync -ave id a b', 'rsync --rsh=id a b'],
      mutates: [['rsync -a b/ a', 'a']],
    },
  },
  { names: ['mount'], mutates: mount, examples: { mutates: [['mount --bind b a', 'a']], harmless: ['mount'] } },
  {
    names: ['find'],
    unsafe: { words: list('-exec -execdir -ok -okdir -delete -fls -fprint -fprint0 -fprintf') },
    mutates: mutateByFind,
    examples: {
      permitted: ['find . -name x'],
      refused: ["find . -exec id ';'", 'find . -delete'],
      mutates: [
        ['find a -delete', 'a'],
        ["find . -exec rm a ';'", 'a'],
      ],
      harmless: ['find a -name x'],
    },
  },
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
    // Conditions, filters and the braces of a format are Perl.
    unsafe: { shape: /^-(?:config|if\d*|api|userparam|o|out|(?:w|textout)\d?\+?!?|@|execute\d*|stay_open)$|\$\{.*;/i },
    examples: { permitted: ['exiftool -json x'], refused: ['exiftool -config x y', "exiftool -p '${a;b}'"] },
  },
  {
    names: ['cloc'],
    unsafe: {
      syntax: 'Getopt::Long',
      options: list(
        '--vcs --extract-with --config --out --report-file --sql --write-lang-def --categorized --counted --found --ignored',
      ),
    },
    examples: { permitted: ['cloc src --json'], refused: ['cloc --vcs=id x'] },
  },
]
