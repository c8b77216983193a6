import { isHarmlessJq } from '../languages/jq.ts'
import { isHarmlessSed } from '../languages/sed.ts'
import type { GivenWords, HarmlessProgram } from '../program.ts'

/**
 * Some programs take the first operand for their script unless an option gives one. On some systems, options behind an
 * operand are operands too.
 */
function firstOperandUnless(given: GivenWords, options: readonly string[]): string | undefined {
  const isGiven = given.options.some(({ name, operandsBefore }) => options.includes(name) && operandsBefore === 0)
  return isGiven ? undefined : given.operands[0]
}

export const TEXT: readonly HarmlessProgram[] = [
  {
    names: 'grep egrep fgrep',
    uses: {
      '': `
        -# -A,--after-context= -a,--text -B,--before-context= -b,--byte-offset --binary-files= -C,--context=
        -c,--count --color,--colour=? -D,--devices= -d,--directories= -E,--extended-regexp -e,--regexp=
        --exclude= --exclude-from= --exclude-dir= -F,--fixed-strings -f,--file= -G,--basic-regexp
        --group-separator= --no-group-separator -H,--with-filename -h,--no-filename -I --include= --include-dir=
        -i,--ignore-case -y --no-ignore-case --initial-tab -L,--files-without-match --label= --line-buffered
        -l,--files-with-matches -m,--max-count= --mmap -n,--line-number --null --null-data -o,--only-matching
        -P,--perl-regexp -q,--quiet,--silent -R,--dereference-recursive -r,--recursive -s,--no-messages -T
        -U,--binary -u,--unix-byte-offsets -V,--version -v,--invert-match -w,--word-regexp -x,--line-regexp -Z
        -z -S -O -p --help
      `,
    },
  },
  {
    names: 'rg',
    uses: {
      '': `
        -A,--after-context= -B,--before-context= -C,--context= --auto-hybrid-regex -a,--text --binary
        --block-buffered --byte-offset,-b -s,--case-sensitive --color= --colors= --column --no-column -c,--count
        --count-matches --crlf --debug --dfa-size-limit= -E,--encoding= --engine= --field-context-separator=
        --field-match-separator= -f,--file= --files -l,--files-with-matches --files-without-match
        -F,--fixed-strings -L,--follow -g,--glob= --glob-case-insensitive -h,--help --heading --no-heading
        -.,--hidden --no-hidden --iglob= -i,--ignore-case --ignore-file= --ignore-file-case-insensitive
        --include-zero -v,--invert-match --json --line-buffered -n,--line-number -N,--no-line-number
        -x,--line-regexp -M,--max-columns= --max-columns-preview -m,--max-count= -d,--max-depth,--maxdepth=
        --max-filesize= --mmap --no-mmap -U,--multiline --multiline-dotall --no-config --no-filename,-I
        --no-ignore --no-ignore-dot --no-ignore-exclude --no-ignore-files --no-ignore-global
        --no-ignore-messages --no-ignore-parent --no-ignore-vcs --no-messages --no-pcre2-unicode
        --no-require-git --no-unicode -0,--null --null-data --one-file-system -o,--only-matching
        --passthru,--passthrough --path-separator= -P,--pcre2 --pcre2-version -p,--pretty -q,--quiet
        --regex-size-limit= -e,--regexp= -r,--replace= -S,--smart-case --sort= --sortr= --stats
        --stop-on-nonmatch -j,--threads= --trace --trim -t,--type= -T,--type-not= --type-add= --type-clear=
        --type-list -u,--unrestricted -V,--version --vimgrep -H,--with-filename -w,--word-regexp
        --context-separator= !-z,--search-zip !--pre= !--pre-glob= !--hostname-bin= !--hyperlink-format=
        !--generate=
      `,
    },
  },
  {
    names: 'sed gsed',
    uses: {
      '': {
        options: `
            -n,--quiet,--silent -e,--expression= -E,-r,--regexp-extended -u,--unbuffered -z,--null-data
            -l,--line-length= --posix --debug --sandbox --help --version !-i,--in-place=? !-I= -s,--separate
            -b,--binary !-f,--file= !--follow-symlinks
          `,
        // To some versions `-l` has no value, and the next word is the script.
        values: { '-e': isHarmlessSed, '-l': (length) => /^\d+$/.test(length) },
        check: (given) => {
          const script = firstOperandUnless(given, ['-e', '-f'])
          return script === undefined || isHarmlessSed(script) ? undefined : script
        },
      },
    },
  },
  {
    names: 'jq',
    uses: {
      '': {
        options: `
            -n,--null-input -R,--raw-input -s,--slurp -c,--compact-output -r,--raw-output --raw-output0
            -j,--join-output -a,--ascii-output -S,--sort-keys -C,--color-output -M,--monochrome-output --tab
            --indent= --unbuffered --stream --stream-errors --seq -e,--exit-status --arg== --argjson==
            --slurpfile== --rawfile== --args --jsonargs -h,--help -V,--version --build-configuration
            !-f,--from-file= !-L,--library-path= !--argfile==
          `,
        check: (given) => {
          const program = firstOperandUnless(given, ['-f'])
          return program === undefined || isHarmlessJq(program) ? undefined : program
        },
      },
    },
  },
]
