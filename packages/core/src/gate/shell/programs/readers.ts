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
]
