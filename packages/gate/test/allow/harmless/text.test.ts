import { describe } from 'vitest'
import { testCases } from './cases.ts'

describe('prefix rules: text', () => {
  testCases([
    {
      rule: 'grep:*',
      permitted: `
      grep -rniE 'a|b' src '--include=*.ts'
      grep -A3 -B 2 -e x y
      grep -5 x y`,
      refused: `
      grep --unknown x
      grep --includ=x y
      grep -e --pre x`,
    },
    {
      rule: 'rg:*',
      permitted: `
      rg -n --type ts x
      rg -g '!node_modules' -i x src
      rg --files -uu`,
      refused: `
      rg --pre id x
      rg --pre=id x
      rg --hostname-bin=id x
      rg -z x
      rg --search-zip x
      rg -iz x
      rg --pre-glob x y
      rg -e --pre=id x
      rg --hyperlink-format=x y
      rg --generate=man`,
    },
    {
      rule: 'sed:*',
      permitted: `
      sed -n 1,20p x
      sed -n '/a/,/b/p;5q' x
      sed -e 's/a/b/g' -e '$d' x
      sed 's|a\\|b|c|2' x
      sed -E 's/([a-z]+)[[:space:]]*$/\\1/I' x
      sed '/^#/d; s/x/y/' x
      sed -n '/x/{p;q}' x
      sed '1!G;h;$!d' x
      sed ':a;N;$!ba;s/\\n/ /g' x
      sed y/abc/xyz/ x
      sed --quiet --expression=p x`,
      refused: `
      sed -i s/a/b/ x
      sed -i.bak s/a/b/ x
      sed -ni p x
      sed --in-place s/a/b/ x
      sed --in-plac=x p y
      sed -f x y
      sed --file=x y
      sed -nf x y
      sed 1e x
      sed '1e id' x
      sed e x
      sed 's/a/b/e' x
      sed 's/a/b/ge' x
      sed 's/a/b/w x' y
      sed 's/a/b/gw x' y
      sed 'w x' y
      sed 'wx' y
      sed '1w x' y
      sed -n '/a/w x' y
      sed '1,2w x' y
      sed '1!w x' y
      sed '$!{w x
      }' y
      sed 'p;w x' y
      sed 'p
      w x' y
      sed 'r /etc/passwd' y
      sed 'R /etc/passwd' y
      sed 'W x' y
      sed -e p -e 'w x' y
      sed -ep -e 'w x' y
      sed -e'w x' y
      sed --expression='w x' y
      sed -l 'w x' p
      sed -n -- 'w x' y
      sed 's/[/]w x/y/' z
      sed 's/a[/b/w x' z
      sed '/[/]/w x' z
      sed 'y/a/b/;w x' y
      sed 's/a/b/;e' y
      sed 's/a/b/;;e id' y
      sed 'a\\' -e 'w x' y
      sed '\\,a,w x' y
      sed '0~3w x' y
      sed 'sxaxbxw y' z
      sed 's a b w' z
      sed 'p}' x
      sed '{p' x
      gsed 'w x' y`,
    },
    {
      rule: 'jq:*',
      permitted: `
      jq . x
      jq -r '.a[] | select(.b == "c") | .d' x
      jq -n --arg a b '{a: $a, env: 1}'
      jq '.items | map({name, size: (.size | tonumber)}) | sort_by(.name)' x
      jq '.scripts."build:all", .env' x
      jq -r '.[] | "\\(.name): \\(.value | @base64)"' x
      jq --slurpfile a x '$a[0]' y
      jq '{env}' x`,
      refused: `
      jq env x
      jq -r env.SECRET
      jq '.a, env' x
      jq '$ENV' x
      jq '$ENV.SECRET' x
      jq '"\\(env)"' x
      jq '"\\("\\(env.X)")"' x
      jq '{a: env}' x
      jq '{(env.X): 1}' x
      jq '{a: 1, b: [1, env, 2]}' x
      jq 'input_filename' x
      jq 'import "x" as y; .' z
      jq 'include "x"; .' z
      jq 'def env: 1; .' x
      jq '(def f: 1; .), env' x
      jq '# x
      env' x
      jq 'x::y' z
      jq '$__prog_args' x
      jq 'get_search_list' x
      jq 'modulemeta' x
      jq -L . '.' x
      jq -f x y
      jq --from-file x y
      jq -nf x
      jq --arg a b env
      jq -- env`,
    },
  ])
})
