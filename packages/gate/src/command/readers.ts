import { GIT_READERS } from './readers-git.ts'

/**
 * A program, or a subcommand of one, that only reads and prints: with the options that are listed here, and with no
 * other. What runs another program, writes a file or loads code is not listed. Add an option in the one list of its
 * arity; `-#` is a number such as `-5`.
 */
export interface Reader {
  /** Options without a value. */
  readonly flags?: string
  /** Options with a value, glued to it or as the next word. */
  readonly values?: string
  /** Options with two values, as the next words. */
  readonly pairs?: string
  /** Options whose value, if there is one, is glued: `--color=always`, `-U3`. */
  readonly optional?: string
  /** How many operands there may be. Absent: any number. */
  readonly operands?: number
  /** What an operand looks like, if not every one is harmless. */
  readonly operand?: RegExp
  /**
   * `words`: every word is printed. `format`: all behind the first operand is printed. `expression`: tests begin with
   * one dash, and their values may too.
   */
  readonly syntax?: 'words' | 'format' | 'expression'
  /** It runs programs that the repository's git configuration names, unless these options keep it from that. */
  readonly unless?: string
  /** Commands for the page of readers, and for a test that runs them. */
  readonly examples: readonly string[]
}

const WORDS = { syntax: 'words' } as const

const SUMS: Reader = {
  flags:
    '-b -c -t -z --binary --check --tag --text --zero --ignore-missing --quiet --status --strict -w --warn --version',
  examples: ['sha256sum a.txt', 'sha256sum --tag a.txt b.txt'],
}

const GREP: Reader = {
  flags:
    '-E -F -G -P -i -y -v -w -x -c -L -l -o -q -s -b -H -h -n -T -Z -a -I -r -R -U -z -V -# --extended-regexp ' +
    '--fixed-strings --basic-regexp --perl-regexp --ignore-case --no-ignore-case --invert-match --word-regexp ' +
    '--line-regexp --count --files-without-match --files-with-matches --only-matching --quiet --silent --no-messages ' +
    '--byte-offset --with-filename --no-filename --line-number --initial-tab --null --text --recursive ' +
    '--dereference-recursive --null-data --line-buffered --version --help',
  values:
    '-e -f -m -A -B -C -d -D --regexp --file --max-count --label --after-context --before-context --context ' +
    '--binary-files --directories --devices --exclude --exclude-from --exclude-dir --include',
  optional: '--color --colour',
  examples: ['grep -rn --include="*.txt" a .', 'grep -A2 -B 1 a a.txt', "grep -n ',' a.txt"],
}

const OTHERS: Readonly<Record<string, Reader>> = {
  ls: {
    flags:
      '-a -A -b -B -c -C -d -f -F -g -G -h -H -i -k -l -L -m -n -N -o -p -q -Q -r -R -s -S -t -u -U -v -x -X -Z -1 ' +
      '--all ' +
      '--almost-all --author --escape --ignore-backups --directory --dired --classify --file-type --full-time ' +
      '--group-directories-first --no-group --human-readable --si --dereference-command-line --inode --kibibytes ' +
      '--dereference --numeric-uid-gid --literal --hide-control-chars --show-control-chars --quote-name --reverse ' +
      '--recursive --size --context --zero --help --version',
    values:
      '-I -T -w --block-size --format --hide --ignore --indicator-style --quoting-style --sort --tabsize --time ' +
      '--time-style --width',
    optional: '--color --hyperlink',
    examples: ['ls -la', 'ls --color=never -1 .'],
  },
  cat: {
    flags:
      '-A -b -e -E -n -s -t -T -u -v --show-all --number-nonblank --show-ends --number --squeeze-blank --show-tabs ' +
      '--show-nonprinting --help --version',
    examples: ['cat -n a.txt b.txt'],
  },
  head: {
    flags: '-q -v -z -# --quiet --silent --verbose --zero-terminated --help --version',
    values: '-n -c --lines --bytes',
    examples: ['head -n 5 a.txt', 'head -20 a.txt', 'head -c 10 a.txt'],
  },
  tail: {
    flags: '-f -F -q -v -z -r -# --quiet --silent --verbose --retry --zero-terminated --help --version',
    values: '-n -c -s --lines --bytes --max-unchanged-stats --pid --sleep-interval',
    optional: '--follow',
    examples: ['tail -n 5 a.txt', 'tail -c 3 a.txt'],
  },
  wc: {
    flags: '-c -m -l -L -w --bytes --chars --lines --max-line-length --words --help --version',
    values: '--total',
    examples: ['wc -l a.txt'],
  },
  grep: GREP,
  rg: {
    flags:
      '-F -i -S -s -v -w -x -c -l -o -q -H -I -n -N -p -u -a -U -P -L -b -0 -V --fixed-strings --ignore-case ' +
      '--smart-case ' +
      '--case-sensitive --invert-match --word-regexp --line-regexp --count --count-matches --files ' +
      '--files-with-matches ' +
      '--files-without-match --only-matching --quiet --with-filename --no-filename --line-number --no-line-number ' +
      '--pretty --unrestricted --text --multiline --multiline-dotall --pcre2 --follow --byte-offset --null --hidden ' +
      '--no-hidden --no-ignore --no-ignore-vcs --no-ignore-parent --no-messages --no-config --no-heading --heading ' +
      '--column --json --stats --trim --vimgrep --passthru --crlf --glob-case-insensitive --one-file-system --debug ' +
      '--type-list --line-buffered --no-require-git --no-pre --version --help',
    values:
      '-e -f -m -A -B -C -g -t -T -r -d -j -M -E --regexp --file --max-count --after-context --before-context ' +
      '--context ' +
      '--glob --iglob --type --type-not --type-add --replace --max-depth --max-filesize --max-columns --threads ' +
      '--encoding ' +
      '--engine --sort --sortr --color --colors --context-separator --field-match-separator --path-separator ' +
      '--ignore-file',
    examples: ['rg -n TODO .', 'rg -g "*.txt" --json a'],
  },
  find: {
    syntax: 'expression',
    flags:
      '-H -L -P -O0 -O1 -O2 -O3 -daystart -depth -follow -mount -xdev -noleaf -warn -nowarn -ignore_readdir_race ' +
      '-noignore_readdir_race -empty -executable -readable -writable -nouser -nogroup -true -false -print -print0 ' +
      '-ls ' +
      '-prune -quit -not -a -o -and -or -help -version ( ) ! ,',
    values:
      '-maxdepth -mindepth -regextype -amin -anewer -atime -cmin -cnewer -ctime -fstype -gid -group -ilname -iname ' +
      '-inum -ipath -iregex -iwholename -links -lname -mmin -mtime -name -newer -newermt -neweram -newercm -path ' +
      '-perm ' +
      '-regex -samefile -size -type -uid -used -user -wholename -xtype -context -printf',
    examples: [
      "find . -name '*.txt' -type f",
      'find . -maxdepth 1 ! -name a.txt -mtime -7',
      'find . \\( -name a -o -name b \\) -print0',
    ],
  },
  stat: {
    flags: '-L -f -t -x -s --dereference --file-system --terse --help --version',
    values: '-c --format --printf --cached',
    examples: ['stat -c %s a.txt'],
  },
  file: {
    flags:
      '-b -i -k -h -L -N -n -r -s -0 --brief --mime --mime-type --mime-encoding --keep-going --dereference ' +
      '--no-dereference --no-pad --raw --special-files --print0 --extension --apple --version --help',
    values: '-e -F --exclude --separator',
    examples: ['file -b a.txt', 'file --mime-type a.txt'],
  },
  du: {
    flags:
      '-0 -a -b -c -D -H -h -k -L -l -m -P -S -s -x --null --all --apparent-size --bytes --total --dereference-args ' +
      '--human-readable --dereference --count-links --no-dereference --separate-dirs --si --summarize ' +
      '--one-file-system --inodes --help --version',
    values: '-B -d -t -X --block-size --max-depth --threshold --exclude --exclude-from --time-style',
    optional: '--time',
    examples: ['du -sh .', 'du -d 1 .'],
  },
  df: {
    flags:
      '-a -h -H -i -k -l -m -P -T --all --human-readable --si --inodes --local --no-sync --portability --print-type ' +
      '--total --help --version',
    values: '-B -t -x --block-size --type --exclude-type',
    optional: '--output',
    examples: ['df -h .'],
  },
  tree: {
    flags:
      '-a -d -f -l -x -i -s -h -D -p -u -g -F -q -N -Q -r -t -c -U -v -C -n -A -S -J -X --dirsfirst --filesfirst ' +
      '--noreport --prune --gitignore --du --si --inodes --device --matchdirs --ignore-case --help --version',
    values: '-L -I -P',
    optional: '--filelimit --charset --timefmt --sort',
    examples: ['tree -L 2 -a', 'tree -I node_modules .'],
  },
  sort: {
    flags:
      '-b -d -f -g -h -i -M -n -R -r -V -c -C -m -s -u -z --ignore-leading-blanks --dictionary-order --ignore-case ' +
      '--general-numeric-sort --human-numeric-sort --ignore-nonprinting --month-sort --numeric-sort --random-sort ' +
      '--reverse --version-sort --merge --stable --unique --zero-terminated --debug --help --version',
    values: '-k -t -S --key --field-separator --buffer-size --batch-size --parallel --sort',
    optional: '--check',
    examples: ["sort -t ',' -k 2 a.txt", 'sort -rn a.txt'],
  },
  uniq: {
    operands: 1,
    flags: '-c -d -D -i -u -z --count --repeated --ignore-case --unique --zero-terminated --help --version',
    values: '-f -s -w --skip-fields --skip-chars --check-chars',
    optional: '--all-repeated --group',
    examples: ['uniq -c a.txt'],
  },
  cut: {
    flags: '-n -s -z --complement --only-delimited --zero-terminated --help --version',
    values: '-b -c -d -f --bytes --characters --delimiter --fields --output-delimiter',
    examples: ["cut -d ',' -f 1 a.txt", 'cut -c1-3 a.txt'],
  },
  tr: {
    flags: '-c -C -d -s -t --complement --delete --squeeze-repeats --truncate-set1 --help --version',
    examples: ["tr -d '\\n'", "tr 'a-z' 'A-Z'"],
  },
  nl: {
    flags: '-p --no-renumber --help --version',
    values:
      '-b -d -f -h -i -l -n -s -v -w --body-numbering --section-delimiter --footer-numbering --header-numbering ' +
      '--line-increment --join-blank-lines --number-format --number-separator --starting-line-number --number-width',
    examples: ['nl -ba a.txt'],
  },
  diff: {
    flags:
      '-a -b -B -c -d -e -E -H -i -N -n -p -P -q -r -s -t -T -u -w -y -Z --normal --brief --report-identical-files ' +
      '--side-by-side ' +
      '--left-column --suppress-common-lines --show-c-function --expand-tabs --initial-tab --suppress-blank-empty ' +
      '--recursive --no-dereference --new-file --unidirectional-new-file --ignore-file-name-case --ignore-case ' +
      '--ignore-tab-expansion --ignore-trailing-space --ignore-space-change --ignore-all-space --ignore-blank-lines ' +
      '--strip-trailing-cr --text --minimal --speed-large-files --ed --rcs --help --version',
    values:
      '-C -F -I -S -U -W -x -X --show-function-line --label --width --tabsize --exclude --exclude-from ' +
      '--starting-file --from-file --to-file --ignore-matching-lines --horizon-lines',
    optional: '--context --unified --color',
    examples: ['diff -u a.txt b.txt', 'diff -rq . .'],
  },
  cmp: {
    flags: '-b -l -s --print-bytes --verbose --quiet --silent --help --version',
    values: '-i -n --ignore-initial --bytes',
    examples: ['cmp a.txt b.txt'],
  },
  comm: {
    flags: '-1 -2 -3 -i -z --check-order --nocheck-order --total --zero-terminated --help --version',
    values: '--output-delimiter',
    examples: ['comm -12 a.txt b.txt'],
  },
  date: {
    flags: '-u -R --utc --universal --rfc-email --debug --help --version',
    values: '-d -r --date --reference',
    optional: '-I --iso-8601 --rfc-3339',
    operand: /^\+/,
    examples: ['date +%Y-%m-%d', 'date -u -d yesterday', 'date -Iseconds'],
  },
  pwd: { flags: '-L -P --logical --physical', operands: 0, examples: ['pwd -P'] },
  whoami: { flags: '--help --version', operands: 0, examples: ['whoami'] },
  uname: {
    flags:
      '-a -s -n -r -v -m -p -i -o --all --kernel-name --nodename --kernel-release --kernel-version --machine ' +
      '--processor --hardware-platform --operating-system --help --version',
    operands: 0,
    examples: ['uname -a'],
  },
  echo: { ...WORDS, examples: ['echo -n a b'] },
  true: { ...WORDS, examples: ['true'] },
  printf: { syntax: 'format', examples: ["printf '%s\\n' a b"] },
  basename: {
    flags: '-a -z --multiple --zero --help --version',
    values: '-s --suffix',
    examples: ['basename a/b.txt .txt'],
  },
  dirname: { flags: '-z --zero --help --version', examples: ['dirname a/b.txt'] },
  realpath: {
    flags:
      '-e -m -L -P -q -s -z --canonicalize-existing --canonicalize-missing --logical --physical --quiet --strip ' +
      '--no-symlinks --zero --help --version',
    values: '--relative-to --relative-base',
    examples: ['realpath .'],
  },
  readlink: {
    flags:
      '-f -e -m -n -q -s -v -z --canonicalize --canonicalize-existing --canonicalize-missing --no-newline --quiet ' +
      '--silent --verbose --zero --help --version',
    examples: ['readlink -f a.txt'],
  },
  sha256sum: SUMS,
  md5sum: { ...SUMS, examples: ['md5sum a.txt'] },
  jq: {
    flags:
      '-a -C -c -e -h -j -M -n -R -r -S -s -V --ascii-output --color-output --compact-output --exit-status ' +
      '--join-output --monochrome-output --null-input --raw-input --raw-output --raw-output0 --sort-keys --slurp ' +
      '--seq --stream --stream-errors --tab --unbuffered --args --jsonargs --help --version',
    values: '--indent',
    pairs: '--arg --argjson --slurpfile --rawfile',
    // A program that loads another one.
    operand: /^(?![^]*(?:import|include)[^]*")/,
    examples: ["jq '.a[] | select(.b == 1)' a.json", "jq -r '.a' a.json"],
  },
  ...ghReaders(),
}

/** GitHub's command line. `--web` opens a browser and is not listed. */
function ghReaders(): Readonly<Record<string, Reader>> {
  const values = '-R -q -t --repo --json --jq --template'
  return {
    'gh pr view': { flags: '-c --comments', values, examples: ['gh pr view 1 --json title'] },
    'gh pr list': {
      flags: '-d --draft',
      values:
        `${values} -A -a -B -H -l -L -S -s --app --assignee --author --base --head --label --limit ` +
        '--search --state',
      examples: ['gh pr list --limit 5'],
    },
    'gh pr status': { flags: '-c --conflict-status', values, examples: ['gh pr status'] },
    'gh pr diff': {
      flags: '--name-only --patch',
      values: '-R -e --repo --color --exclude',
      examples: ['gh pr diff 1'],
    },
    'gh issue view': { flags: '-c --comments', values, examples: ['gh issue view 1'] },
    'gh issue list': {
      values:
        `${values} -A -a -l -L -m -S -s --app --assignee --author --label --limit --mention ` +
        '--milestone --search --state',
      examples: ['gh issue list -l bug'],
    },
    'gh issue status': { values, examples: ['gh issue status'] },
    'gh run view': {
      flags: '-v --verbose --exit-status --log --log-failed',
      values: `${values} -a -j --attempt --job`,
      examples: ['gh run view 1 --log-failed'],
    },
    'gh run list': {
      flags: '-a --all',
      values: `${values} -b -c -e -L -s -u -w --branch --commit --created --event --limit --status --user --workflow`,
      examples: ['gh run list -L 5'],
    },
  }
}

/** The readers by the words that their commands begin with. */
export const READERS: ReadonlyMap<string, Reader> = new Map(Object.entries({ ...OTHERS, ...GIT_READERS }))
