import { describe } from 'vitest'
import { testCases } from './cases.ts'

describe('prefix rules: files', () => {
  testCases([
    {
      rule: 'ls:*',
      permitted: `
      ls -la --color=never src
      ls -lhS1 --time-style=+%s`,
      refused: `
      ls --colo
      ls --unknown
      ls -lY`,
    },
    { rule: 'cat:*', permitted: 'cat -An x y -', refused: 'cat --unknown x' },
    {
      rule: 'head:*',
      permitted: `
      head -5 x
      head -n -5 x
      head -c10 x`,
      refused: 'head --pid=1 x',
    },
    {
      rule: 'tail:*',
      permitted: `
      tail -n +5 x
      tail -20 x
      tail -fn5 x`,
      refused: 'tail --unknown x',
    },
    {
      rule: 'find:*',
      permitted: `
      find . -name '*.ts' -not -path './node_modules/*' -type f
      find src -maxdepth 2 -size +10k -mtime -7 -print0
      find . \\( -name a -o -name b \\) -printf '%p\\n'`,
      refused: `
      find . -exec id {} +
      find . -execdir id {} +
      find . -ok id {} +
      find . -okdir id {} +
      find . -delete
      find . -name x -delete
      find . -fprint x
      find . -fprint0 x
      find . -fls x
      find . -fprintf x y
      find . -files0-from x
      find . --exec id
      gfind . -delete
      find . -D exec`,
    },
    {
      rule: 'cp:*',
      permitted: `
      cp -r a b
      cp -pt b a
      cp --parents a b`,
      refused: `
      cp --backup=x a b
      cp -S /x a b
      cp --suffix=/x a b
      cp --unknown a b`,
    },
    {
      rule: 'mv:*',
      permitted: 'mv -f a b',
      refused: `
      mv --backup=x a b
      mv -S x a b
      mv --exchange a b`,
    },
    {
      rule: 'rm:*',
      permitted: 'rm -rf a',
      refused: `
      rm --no-preserve-root -r /
      rm --unknown a`,
    },
    { rule: 'mkdir:*', permitted: 'mkdir -pm 755 a/b', refused: 'mkdir -Z a' },
    {
      rule: 'chmod:*',
      permitted: `
      chmod +x a
      chmod -x a
      chmod -R u+w,go-w a
      chmod 755 a`,
      refused: `
      chmod --no-preserve-root -R 777 /
      chmod --unknown a`,
    },
    {
      rule: 'tar:*',
      permitted: `
      tar xzf a.tgz -C out
      tar -czvf a.tgz --exclude=.git src
      tar tf a
      tar -xf a --strip-components=1
      tar cf - src
      tar -cf a --transform 's/^a/b/' src`,
      refused: `
      tar xf a --to-command=id
      tar xf a --to-comm id
      tar -I id -xf a
      tar xIf id a
      tar -xIid -f a
      tar --use-compress-program=id -xf a
      tar cf a --checkpoint=1 --checkpoint-action=exec=id b
      tar -cf host:a b
      tar cf host:a b
      tar -cfhost:a b
      tar --file=host:a -c b
      tar --file host:a -c b
      tar cf a --rsh-command=id b
      tar cf a --rmt-command=id b
      tar cf a -T list
      tar cf a --files-from=list
      tar cfT a list
      tar -F id -xf a
      tar xf a --info-script=id
      tar xf a --new-volume-script=id
      tar -xMf a
      tar -cf a -g x b
      tar -tf a --index-file=x
      tar --remove-files -cf a b
      tar -xPf a
      tar --absolute-names -xf a
      tar -cf a --transform 's/a/b/e' c
      tar -cf a @b
      tar -W use-compress-program=id -xf a
      gtar xf a --to-command=id
      bsdtar -xf a --use-compress-program id`,
    },
    {
      rule: 'zip:*',
      permitted: `
      zip -r a.zip b
      zip -qr9 a.zip b -x '*.git*'`,
      refused: `
      zip -T a.zip b
      zip a.zip b -T -TT id
      zip a.zip b -TT id
      zip a.zip b --unzip-command=id
      zip a.zip b --test
      zip -m a.zip b
      zip -rm a.zip b
      zip --out=x a.zip b
      zip -O x a.zip
      zip -lf x a.zip b
      zip -b /x a.zip b
      zip --logfile-path=x a.zip b
      zip -sf- a.zip`,
    },
  ])
})
