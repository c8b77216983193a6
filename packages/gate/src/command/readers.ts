import type { Reader } from './reader-record.ts'
import { GIT_READERS } from './readers-git.ts'

const SUMS: Reader = {
  flags: '-b -c -t -z -w --binary --check --tag --text --zero --ignore-missing --quiet --status --strict --warn',
  examples: ['sha256sum a.txt', 'sha256sum --tag a.txt b.txt'],
}

const GREP: Reader = {
  flags:
    '-E -F -G -P -i -y -v -w -x -c -L -l -o -q -s -b -H -h -n -T -Z -a -I -r -R -U -z -V -# --extended-regexp ' +
    '--fixed-strings --basic-regexp --perl-regexp --ignore-case --invert-match --word-regexp --line-regexp --count ' +
    '--files-without-match --files-with-matches --only-matching --quiet --silent --no-messages --byte-offset ' +
    '--with-filename --no-filename --line-number --null --text --recursive --dereference-recursive --version',
  values:
    '-e -f -m -A -B -C -d -D --regexp --file --max-count --after-context --before-context --context --binary-files ' +
    '--exclude --exclude-from --exclude-dir --include',
  optional: '--color --colour',
  examples: ['grep -rn --include="*.txt" a .', 'grep -A2 -B 1 a a.txt', "grep -n ',' a.txt"],
}

const OTHERS: Readonly<Record<string, Reader>> = {
  ls: {
    flags:
      '-a -A -b -B -c -C -d -f -F -g -G -h -H -i -k -l -L -m -n -N -o -p -q -Q -r -R -s -S -t -u -U -v -x -X -Z -1 --all ' +
      '--almost-all --directory --classify --full-time --group-directories-first --human-readable --inode --reverse ' +
      '--recursive --size --version',
    values: '-I -T -w --block-size --format --hide --ignore --sort --time --time-style --width',
    optional: '--color',
    examples: ['ls -la', 'ls --color=never -1 .'],
  },
  cat: { flags: '-A -b -e -E -n -s -t -T -u -v --show-all --number', examples: ['cat -n a.txt b.txt'] },
  head: {
    flags: '-q -v -z -# --quiet --silent --verbose',
    values: '-n -c --lines --bytes',
    examples: ['head -n 5 a.txt', 'head -20 a.txt', 'head -c 10 a.txt'],
  },
  tail: {
    flags: '-f -F -q -v -z -r -# --quiet --silent --verbose --retry',
    values: '-n -c -s --lines --bytes --pid --sleep-interval',
    optional: '--follow',
    examples: ['tail -n 5 a.txt', 'tail -c 3 a.txt'],
  },
  wc: { flags: '-c -m -l -L -w --bytes --chars --lines --words', examples: ['wc -l a.txt'] },
  grep: GREP,
  rg: {
    flags:
      '-F -i -S -s -v -w -x -c -l -o -q -H -I -n -N -p -u -a -U -P -L -b -0 -V --fixed-strings --ignore-case --smart-case ' +
      '--case-sensitive --invert-match --word-regexp --line-regexp --count --count-matches --files --files-with-matches ' +
      '--files-without-match --only-matching --quiet --with-filename --no-filename --line-number --no-line-number ' +
      '--unrestricted --text --multiline --pcre2 --follow --null --hidden --no-ignore --no-messages --no-heading ' +
      '--heading --column --json --stats --trim --vimgrep --type-list --version',
    values:
      '-e -f -m -A -B -C -g -t -T -r -d -j -M -E --regexp --file --max-count --after-context --before-context --context ' +
      '--glob --iglob --type --type-not --type-add --replace --max-depth --max-columns --threads --encoding --sort ' +
      '--sortr --color',
    examples: ['rg -n a .', 'rg -g "*.txt" --json a'],
  },
  find: {
    syntax: 'expression',
    flags:
      '-H -L -P -daystart -depth -follow -mount -xdev -empty -executable -readable -writable -nouser -nogroup -true ' +
      '-false -print -print0 -ls -prune -quit -not -a -o -and -or ( ) ! ,',
    values:
      '-maxdepth -mindepth -regextype -amin -anewer -atime -cmin -cnewer -ctime -fstype -gid -group -iname -inum ' +
      '-ipath -iregex -links -lname -mmin -mtime -name -newer -newermt -path -perm -regex -samefile -size -type -uid ' +
      '-user -wholename -xtype -printf',
    examples: ["find . -name '*.txt' -type f", 'find . -maxdepth 1 ! -name a.txt -mtime -7'],
  },
  stat: {
    flags: '-L -f -t -x -s --dereference --file-system --terse',
    values: '-c --format --printf',
    examples: ['stat -c %s a.txt'],
  },
  file: {
    flags: '-b -i -k -h -L -N -n -r -s -0 --brief --mime --mime-type --mime-encoding --dereference',
    values: '-e -F --exclude --separator',
    examples: ['file -b a.txt', 'file --mime-type a.txt'],
  },
  du: {
    flags:
      '-0 -a -b -c -D -H -h -k -L -l -m -P -S -s -x --all --apparent-size --bytes --total --human-readable --summarize',
    values: '-B -d -t -X --block-size --max-depth --threshold --exclude',
    examples: ['du -sh .', 'du -d 1 .'],
  },
  df: {
    flags: '-a -h -H -i -k -l -m -P -T --all --human-readable --inodes --local --print-type --total',
    values: '-B -t -x --block-size --type --exclude-type',
    optional: '--output',
    examples: ['df -h .'],
  },
  tree: {
    syntax: 'expression',
    flags:
      '-a -d -f -l -x -i -s -h -D -p -u -g -F -q -N -Q -r -t -c -U -v -C -n -A -S -J -X --dirsfirst --noreport --prune --du',
    values: '-L -I -P',
    examples: ['tree -L 2 -a', 'tree -I node_modules .'],
  },
  sort: {
    flags:
      '-b -d -f -g -h -i -M -n -R -r -V -c -C -m -s -u -z --ignore-case --human-numeric-sort --numeric-sort --reverse ' +
      '--version-sort --merge --stable --unique --zero-terminated',
    values: '-k -t -S --key --field-separator --buffer-size --parallel',
    examples: ["sort -t ',' -k 2 a.txt", 'sort -rn a.txt'],
  },
  uniq: {
    operands: 1,
    flags: '-c -d -D -i -u -z --count --repeated --ignore-case --unique',
    values: '-f -s -w --skip-fields --skip-chars --check-chars',
    examples: ['uniq -c a.txt'],
  },
  cut: {
    flags: '-n -s -z --complement --only-delimited --zero-terminated',
    values: '-b -c -d -f --bytes --characters --delimiter --fields --output-delimiter',
    examples: ["cut -d ',' -f 1 a.txt", 'cut -c1-3 a.txt'],
  },
  tr: { flags: '-c -C -d -s -t --complement --delete --squeeze-repeats', examples: ["tr 'a-z' 'A-Z'", "tr -d '\\n'"] },
  nl: { flags: '-p', values: '-b -d -f -h -i -l -n -s -v -w', examples: ['nl -ba a.txt'] },
  diff: {
    flags:
      '-a -b -B -c -d -e -E -i -N -n -p -q -r -s -t -T -u -w -y -Z --brief --side-by-side --suppress-common-lines ' +
      '--recursive --new-file --ignore-case --ignore-space-change --ignore-all-space --ignore-blank-lines ' +
      '--strip-trailing-cr --text --minimal',
    values: '-C -F -I -S -U -W -x -X --label --width --exclude --exclude-from',
    optional: '--context --unified --color',
    examples: ['diff -u a.txt b.txt', 'diff -rq . .'],
  },
  cmp: { flags: '-b -l -s --quiet --silent --verbose', values: '-i -n --bytes', examples: ['cmp a.txt b.txt'] },
  comm: { flags: '-1 -2 -3 -i -z --total', values: '--output-delimiter', examples: ['comm -12 a.txt b.txt'] },
  date: {
    flags: '-u -R --utc --universal --rfc-email',
    values: '-d -r --date --reference --rfc-3339',
    optional: '-I --iso-8601',
    operand: /^\+/,
    examples: ['date +%Y-%m-%d', 'date -u -d yesterday', 'date -Iseconds'],
  },
  pwd: { flags: '-L -P', operands: 0, examples: ['pwd -P'] },
  whoami: { operands: 0, examples: ['whoami'] },
  uname: { flags: '-a -s -n -r -v -m -p -i -o --all', operands: 0, examples: ['uname -a'] },
  echo: { syntax: 'words', examples: ['echo -n a b'] },
  true: { syntax: 'words', examples: ['true'] },
  // Others set variables, or compute: `%n`, `%d`.
  printf: { syntax: 'format', operand: /^(?:[^%\uE000-\uE002]|%[-\d.]*[sbqc%])*$/, examples: ["printf '%s\\n' a b"] },
  basename: { flags: '-a -z', values: '-s --suffix', examples: ['basename a/b.txt .txt'] },
  dirname: { flags: '-z', examples: ['dirname a/b.txt'] },
  realpath: {
    flags: '-e -m -L -P -q -s -z',
    values: '--relative-to --relative-base',
    examples: ['realpath .'],
  },
  readlink: { flags: '-f -e -m -n -q -s -v -z --canonicalize', examples: ['readlink -f a.txt'] },
  sha256sum: SUMS,
  md5sum: { ...SUMS, examples: ['md5sum a.txt'] },
  jq: {
    flags:
      '-a -C -c -e -h -j -M -n -R -r -S -s -V --ascii-output --color-output --compact-output --exit-status ' +
      '--join-output --null-input --raw-input --raw-output --sort-keys --slurp --stream --tab --args --jsonargs',
    values: '--indent',
    pairs: '--arg --argjson --slurpfile --rawfile',
    // A program that loads another one.
    operand: /^(?![^]*(?:^|[\s;])(?:import|include)\s*["#@])/,
    examples: ["jq '.a[] | select(.b == 1)' a.json", "jq -r --arg x y '.a' a.json"],
  },
}

const GH = '-R -q -t --repo --json --jq --template'
const GH_LIST = `${GH} -A -a -l -L -S -s --app --assignee --author --label --limit --search --state`

/** GitHub's command line. `--web` opens a browser and is not listed. */
const GH_READERS: Readonly<Record<string, Reader>> = {
  'gh pr view': { flags: '-c --comments', values: GH, examples: ['gh pr view 1 --json title'] },
  'gh pr list': {
    flags: '-d --draft',
    values: `${GH_LIST} -B -H --base --head`,
    examples: ['gh pr list --limit 5'],
  },
  'gh pr status': { flags: '-c --conflict-status', values: GH, examples: ['gh pr status'] },
  'gh pr diff': { flags: '--name-only --patch', values: '-R --repo --color', examples: ['gh pr diff 1'] },
  'gh issue view': { flags: '-c --comments', values: GH, examples: ['gh issue view 1'] },
  'gh issue list': { values: `${GH_LIST} -m --mention --milestone`, examples: ['gh issue list -l bug'] },
  'gh issue status': { values: GH, examples: ['gh issue status'] },
  'gh run view': {
    flags: '-v --verbose --exit-status --log --log-failed',
    values: `${GH} -a -j --attempt --job`,
    examples: ['gh run view 1 --log-failed'],
  },
  'gh run list': {
    flags: '-a --all',
    values: `${GH} -b -c -e -L -s -u -w --branch --commit --event --limit --status --user --workflow`,
    examples: ['gh run list -L 5'],
  },
}

/** The readers by the words that their commands begin with. */
export const READERS: ReadonlyMap<string, Reader> = new Map(
  Object.entries({ ...OTHERS, ...GH_READERS, ...GIT_READERS }),
)
