import { list, type Program } from './program.ts'

/** Programs that show something, and change no file that they are given. Others of them are among files, text and what is interactive. */
export const READERS: readonly Program[] = [
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
]
