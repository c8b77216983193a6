import { list, type Program } from './program.ts'

/** Programs that show, search, edit or convert text, and others that change no file they are given. */
export const TEXT: readonly Program[] = [
  {
    names: list(
      'cat head tail grep egrep fgrep zgrep wc ls stat du echo basename dirname realpath readlink md5 md5sum sha1sum ' +
        'sha224sum sha256sum sha384sum sha512sum shasum cksum sum b2sum diff cmp od hexdump strings jq [ true false nl tac cut',
    ),
    readsOnly: true,
    examples: { permitted: ['cat x'], harmless: ["find . -exec cat '{}' +"] },
  },
  {
    names: list(
      'mkdir touch chmod chown chgrp truncate mktemp sync date cal pwd whoami id groups users who w uname arch hostname ' +
        'uptime which whereis tty nproc free df ps pgrep pstree lsof lsblk lscpu lsusb lspci vmstat iostat ping traceroute ' +
        'dig nslookup host whois netstat tee tr paste column fold fmt comm join expand unexpand rev seq sleep factor bc ' +
        'numfmt expr pr tsort csplit zcat bzcat xzcat gzip gunzip bzip2 bunzip2 xz unxz lz4 sha3sum ' +
        'base32 basenc tput clear getconf locale dircolors clang-format shellcheck shfmt hadolint yamllint black taplo',
    ),
    examples: { permitted: ['mkdir x'] },
  },
  {
    names: ['rg'],
    unsafe: { options: ['--pre', '--hostname-bin'] },
    readsOnly: true,
    examples: { permitted: ['rg --pretty x'], refused: ['rg --pre id x'] },
  },
  {
    names: ['ag'],
    unsafe: { options: ['--pager'] },
    examples: { permitted: ['ag x src'], refused: ['ag --pager id x'] },
  },
  {
    names: ['ack'],
    unsafe: { options: ['--pager', '--ackrc', '--output'] },
    examples: { permitted: ['ack x'], refused: ['ack --ackrc=x y'] },
  },
  {
    names: ['ugrep', 'ug'],
    // Behind three dashes, the name of a configuration.
    unsafe: { options: ['--pager', '--filter', '--view', '--config', '--save-config'], shape: /^---/ },
    examples: { permitted: ['ugrep x'], refused: ['ugrep --filter=pdf:id x', 'ugrep ---x y'] },
  },
  {
    names: ['sort'],
    unsafe: { options: ['--compress-program', '--output'], letters: 'o', valued: 't' },
    readsOnly: true,
    examples: { permitted: ['sort -to -k1 x'], refused: ['sort --compress-program=id x', 'sort -uo x y'] },
  },
  {
    names: ['shuf'],
    unsafe: { options: ['--output'], letters: 'o' },
    examples: { permitted: ['shuf -n 1 x'], refused: ['shuf -o x y'] },
  },
  {
    names: ['split'],
    unsafe: { options: ['--filter'] },
    examples: { permitted: ['split x'], refused: ['split --filter=id x'] },
  },
  {
    names: ['uniq'],
    unsafe: { writtenOperand: 2, valued: 'fsw' },
    examples: { permitted: ['uniq -f 1 x'], refused: ['uniq a b'] },
  },
  {
    names: ['xxd'],
    unsafe: { writtenOperand: 2, valued: 'cglnos' },
    examples: { permitted: ['xxd -l 16 x'], refused: ['xxd a b'] },
  },
  {
    names: ['iconv'],
    unsafe: { options: ['--output'], letters: 'o', valued: 'ft' },
    examples: { permitted: ['iconv -f latin1 x'], refused: ['iconv -o x y'] },
  },
  {
    names: ['base64'],
    unsafe: { options: ['--output'], letters: 'o' },
    examples: { permitted: ['base64 -d x'], refused: ['base64 -o x'] },
  },
  {
    names: ['yq'],
    unsafe: {
      options: list('--inplace --in-place --split-exp --security-enable-system-operator'),
      letters: 'is',
      valued: 'Iop',
    },
    examples: {
      permitted: ['yq .a x', 'yq -o=json -p=ini x'],
      refused: ['yq -i .a=1 x', 'yq -Pi .a=1 x', 'yq -s .a x'],
    },
  },
  {
    names: ['xmllint'],
    unsafe: { syntax: 'single-dash', options: ['-o', '-output', '-shell'] },
    examples: { permitted: ['xmllint --noout x'], refused: ['xmllint --shell x', 'xmllint -output x y'] },
  },
  {
    names: ['pandoc'],
    unsafe: {
      options: list('--filter --lua-filter --defaults --pdf-engine-opt --data-dir --log'),
      harmless: ['--pdf-engine'],
      letters: 'FLd',
      valued: 'fot',
      // Of other programs it would run a path too.
      choices: [
        {
          options: ['--pdf-engine'],
          values: new Set(
            list('pdflatex lualatex xelatex latexmk tectonic wkhtmltopdf weasyprint pagedjs-cli context typst'),
          ),
        },
      ],
      // A reader or a writer that is a program, with extensions behind its name perhaps.
      shape: /\.lua(?:[+-]|$)/i,
      // It is an interpreter, or a server.
      runningSubcommands: ['lua', 'server'],
    },
    examples: {
      permitted: ['pandoc -f markdown -t html x', 'pandoc x.md --pdf-engine=xelatex -o x.pdf'],
      refused: [
        'pandoc -F x y',
        'pandoc -t x.lua y',
        'pandoc -t x.lua+smart y',
        'pandoc --to=x.LUA-smart y',
        'pandoc lua -e x',
        'pandoc --pdf-engine=./xelatex y',
      ],
    },
  },
  {
    names: list('convert magick mogrify identify composite montage compare gm'),
    // A format may be a script, or be read by another program; an address is fetched.
    unsafe: {
      syntax: 'getopt_long_only',
      options: list('--process --write --set --script --define --log --debug --profile --encipher --decipher'),
      harmless: ['--density'],
      // A file whose name ends so is a script; behind a plus sign, "write" is the same option.
      shape: /(?:^|[\s'"(])(?:@|\||[a-z][\w+-]+:)|^\+write$|\.(?:msl|mvg)\b/i,
    },
    examples: {
      permitted: ['convert a.png -resize 50% b.jpg'],
      refused: [
        'convert msl:x y',
        'convert a.png @x',
        'convert x -write y z',
        'convert x +write y z',
        'convert x.msl y',
        "convert 'ephemeral:x' y",
      ],
    },
  },
  // A person uses these in a terminal, and can start others from them.
  {
    names: list('vi vim nvim view rvim ed ex emacs most man fzf sk tig lazygit'),
    exactOnly: 'runs-programs',
    examples: { refused: ['vi x'] },
  },
  {
    names: ['delta'],
    unsafe: { options: ['--pager', '--config', '--diff-args'], letters: '@' },
    examples: {
      permitted: ['delta x'],
      refused: ['delta --pager=id', 'delta --config x', 'delta -@ x', 'delta --diff-args=x a b'],
    },
  },
  {
    names: ['bat', 'batcat'],
    unsafe: { options: ['--pager', '--generate-config-file'], readingUses: new Map([['cache', []]]) },
    examples: { permitted: ['bat --paging=never x'], refused: ['bat --pager id x', 'bat cache --build'] },
  },
  {
    names: ['info'],
    unsafe: { options: ['--output', '--dribble', '--restore'], letters: 'o' },
    examples: { permitted: ['info ls'], refused: ['info --output=x ls', 'info -ox ls'] },
  },
  {
    names: ['ncdu'],
    unsafe: { letters: 'oO' },
    examples: { permitted: ['ncdu x'], refused: ['ncdu -o x'] },
  },
  {
    names: ['less', 'more'],
    exactOnly: 'runs-programs',
    readsOnly: true,
    examples: { refused: ['less x'], harmless: ["find . -exec less '{}' +"] },
  },
]
