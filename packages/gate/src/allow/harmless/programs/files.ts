import { type HarmlessProgram, oneOf } from '../program.ts'

export const FILES: readonly HarmlessProgram[] = [
  {
    names: 'ls',
    uses: {
      '': `
        -a,--all -A,--almost-all --author -b,--escape --block-size= -B,--ignore-backups -c -C --color=?
        -d,--directory -D,--dired -f -F,--classify=? --file-type --format= --full-time -g
        --group-directories-first -G,--no-group -h,--human-readable --si -H,--dereference-command-line --hide=
        --hyperlink=? --indicator-style= -i,--inode -I,--ignore= -k,--kibibytes -l -L,--dereference -m
        -n,--numeric-uid-gid -N,--literal -o -p -q,--hide-control-chars --show-control-chars -Q,--quote-name
        --quoting-style= -r,--reverse -R,--recursive -s,--size -S --sort= --time= --time-style= -t -T,--tabsize=
        -u -U -v -w,--width= -x -X -Z,--context --zero -1 -@ -e -O --help --version
      `,
    },
  },
  {
    names: 'cat',
    uses: {
      '': `
        -A,--show-all -b,--number-nonblank -e -E,--show-ends -n,--number -s,--squeeze-blank -t -T,--show-tabs -u
        -v,--show-nonprinting --help --version
      `,
    },
  },
  {
    names: 'head',
    uses: { '': '-# -c,--bytes= -n,--lines= -q,--quiet,--silent -v,--verbose -z,--zero-terminated --help --version' },
  },
  {
    names: 'tail',
    uses: {
      '': `
        -# -c,--bytes= -f,--follow=? -F -n,--lines= --max-unchanged-stats= --pid= -q,--quiet,--silent --retry -r
        -s,--sleep-interval= -v,--verbose -z,--zero-terminated --help --version
      `,
    },
  },
  {
    names: 'find',
    syntax: 'single-dash',
    uses: {
      '': `
        -P -L -H -O0 -O1 -O2 -O3 -a -and -o -or -not -amin= -anewer= -atime= -cmin= -cnewer= -ctime= -daystart
        -depth -d -empty -executable -false -follow -fstype= -gid= -group= -ignore_readdir_race
        -noignore_readdir_race -ilname= -iname= -inum= -ipath= -iregex= -iwholename= -links= -lname= -ls
        -maxdepth= -mindepth= -mmin= -mount -mtime= -name= -newer= -neweraa= -neweram= -newerat= -newerBt=
        -newermt= -newermm= -newerct= -nogroup -noleaf -nouser -nowarn -warn -path= -perm= -print -print0
        -printf= -prune -quit -readable -regex= -regextype= -samefile= -size= -true -type= -uid= -used= -user=
        -wholename= -writable -xdev -xtype= -x -X -E -s --help -help --version -version !-exec= !-execdir= !-ok=
        !-okdir= !-delete !-fls= !-fprint= !-fprint0= !-fprintf== !-files0-from=
      `,
    },
  },
  {
    names: 'cp',
    uses: {
      '': `
        -a,--archive --attributes-only -b -d -f,--force -i,--interactive -H -l,--link -L,--dereference
        -n,--no-clobber -P,--no-dereference -p --preserve=? --no-preserve= --parents -R,-r,--recursive
        --reflink=? --remove-destination --sparse= --strip-trailing-slashes -s,--symbolic-link
        -t,--target-directory= -T,--no-target-directory -u,--update=? -v,--verbose -x,--one-file-system -c -X
        --debug --help --version !--backup=? !-S,--suffix=
      `,
    },
  },
  {
    names: 'mv',
    uses: {
      '': `
        -b -f,--force -i,--interactive -n,--no-clobber --no-copy --strip-trailing-slashes -t,--target-directory=
        -T,--no-target-directory -u,--update=? -v,--verbose -h --debug --help --version !--backup=?
        !-S,--suffix= !--exchange
      `,
    },
  },
  {
    names: 'rm',
    uses: {
      '': `
        -f,--force -i -I --interactive=? --one-file-system !--no-preserve-root --preserve-root=?
        -r,-R,--recursive -d,--dir -v,--verbose -x -P --help --version
      `,
    },
  },
  { names: 'mkdir', uses: { '': '-m,--mode= -p,--parents -v,--verbose --help --version !-Z,--context=?' } },
  {
    names: 'chmod',
    uses: {
      // Modes may begin with a dash: "-x".
      '': `
        -c,--changes -f,--silent,--quiet -v,--verbose --dereference -h,--no-dereference !--no-preserve-root
        --preserve-root --reference= -R,--recursive -H -L -P -r -w -x -X -s -t --help --version
      `,
    },
  },
  {
    names: 'tar gtar bsdtar',
    syntax: 'tar',
    uses: {
      '': {
        options: `
            -c,--create -x,--extract,--get -t,--list -r,--append -u,--update -A,--catenate,--concatenate
            -d,--diff,--compare --delete -f,--file= -C,--directory= -v,--verbose -z,--gzip,--gunzip,--ungzip
            -j,--bzip2 -J,--xz --lzma --lzip --lzop -Z,--compress,--uncompress --zstd -a,--auto-compress
            --no-auto-compress -p,--preserve-permissions,--same-permissions --no-same-permissions --same-owner
            --no-same-owner -k,--keep-old-files --skip-old-files --keep-newer-files --overwrite
            --no-overwrite-dir -U,--unlink-first -m,--touch -O,--to-stdout --one-top-level=? --strip-components= --exclude=
            --exclude-vcs --exclude-vcs-ignores --exclude-caches --exclude-backups --exclude-tag=
            -X,--exclude-from= --wildcards --no-wildcards --anchored --no-anchored --ignore-case
            --no-ignore-case --wildcards-match-slash --transform,--xform= -h,--dereference --hard-dereference
            --numeric-owner --owner= --group= --mode= --mtime= --sort= --format= --pax-option= --posix -H=
            --one-file-system --no-recursion --recursion -n,--seek --sparse -S --totals --checkpoint=? --verify
            --warning= --utc --full-time --show-transformed-names --show-stored-names --null -R,--block-number
            -i,--ignore-zeros --ignore-failed-read -b,--blocking-factor= -w,--interactive,--confirmation
            --no-xattrs --xattrs --acls --no-acls --selinux --no-selinux --delay-directory-restore --force-local
            --quoting-style= -l,--check-links --preserve-order --same-order -B,--read-full-records --newer= -N=
            --after-date= --newer-mtime= -o --no-mac-metadata --no-fflags --disable-copyfile --help --version
            !-P,--absolute-names !-I,--use-compress-program= !-F,--info-script= !--new-volume-script=
            !-T,--files-from= !-M,--multi-volume !-L,--tape-length= !-g,--listed-incremental= !-G,--incremental
            !--to-command= !--checkpoint-action= !--rsh-command= !--rmt-command= !--index-file= !--volno-file=
            !--remove-files !--backup=? !--suffix= !-K,--starting-file= !-V,--label= !--passphrase=
          `,
        values: {
          // A name with a colon is an archive on another machine, which a remote shell fetches.
          '-f': (name) => !/^[^/]*:/.test(name),
          '-C': (name) => !/^[^/]*:/.test(name),
          '--transform': (script) =>
            /^(?:flags=[rRsShH]+;)?s([^\w\s\\])(?:(?!\1)[^\\]|\\.)*\1(?:(?!\1)[^\\]|\\.)*\1[gixrRsShH\d]*$/.test(
              script,
            ),
          '-H': oneOf('gnu oldgnu pax posix ustar v7'),
        },
        operands: (word) => !word.startsWith('@'),
      },
    },
  },
  {
    names: 'zip',
    // Letters of zip may mean something else together: those that are listed do not.
    uses: {
      '': `
        -r,--recurse-paths -q,--quiet -j,--junk-paths -v,--verbose -X,--strip-extra -D,--no-dir-entries
        -y,--symlinks -g,--grow -o,--latest-time -9 -8 -7 -6 -5 -4 -3 -2 -1 -0 --exclude= -x= -i,--include=
        -h,--help -@ -u,--update -f,--freshen !-m,--move !-T,--test !-b,--temp-path= !-O,--output-file=
        !-e,--encrypt !-P,--password= !-n,--suffixes= !-t,--from-date= !-d,--delete !-F,--fix
        !-z,--archive-comment !-A,--adjust-sfx !-J,--junk-sfx !--unzip-command= !--logfile-path=
      `,
    },
  },
]
