import { describe, expect, test } from 'vitest'
import { isAllowed } from './is-allowed.ts'

/** Lines in which `rm` stands where a shell or another program finds it, or may stand. */
const HIDING_RM = [
  // What a shell makes of braces, and a program of wildcards alone.
  '{rm,x}',
  '{,rm} x',
  'command {rm,x}',
  'exec {rm,x}',
  'time {rm,x}',
  'choom -n 0 -- {rm,x}',
  '{r,x}{m,y} z',
  'choom -n 0 -- {r,x}{m,y} z',
  'choom -n 0 -- {a,r}m x',
  'choom -n 0 -- rm{,} x',
  'xargs {rm,x}',
  '* x',
  '??? x',
  // Variables whose value a program runs.
  "export PS4='$(rm x)'; set -x; ls",
  "export GIT_EXTERNAL_DIFF='rm x'; git diff",
  "export LESSOPEN='|rm x %s'",
  // Options of wrappers that take the next word.
  'timeout .5 $X',
  'timeout inf $X',
  'timeout --signal KILL 5 "$X"',
  'env --unset A "$X"',
  'env --ignore-environment python3 -c "$X"',
  'exec -ca n "$X"',
  'stdbuf --output L "$X"',
  'sudo -nu root "$X"',
  'sudo -u "$X" y',
  'xargs -0I % "$X"',
  '/bin/* x',
  'env -S"$X"',
  // Options that share a dash with the value of the last.
  "env -vS'rm x'",
  "script -qc'rm x' /dev/null",
  "script -qec'rm x' /dev/null",
  "su -lc'rm x'",
  "tar -cI'rm x'",
  "env -0vS'rm x'",
  // Names in code.
  "perl -e 'exec qw^rm x^'",
  "perl -e 'exec qw#rm x#'",
  "printf 'a:\\n\\trm x' | make -f -",
  "perl -e 'exec qw[rm x]'",
  "perl -e 'system q[rm x]'",
  "perl -e 'system q~rm x~'",
  "make -f - <<< $'a:\\n\\t@rm x'",
  "printf 'a:\\n\\t@rm x' | make -f -",
  "printf 'a:\\n\\t@-rm x' | make -f -",
  'make -f - <<X\na:\n\t-rm x\n\t+rm y\nX',
  // What receives its code in other ways.
  'bash -c -x "$X"',
  'sh -c -e "$X"',
  'bash -c -o pipefail "$X"',
  'bash -cO extglob "$X"',
  "printf 'r%s x' m | bash ../dev/stdin",
  "printf 'r%s x' m > >(bash)",
  "printf 'r%s x' m | bash /dev/./stdin",
  "printf 'r%s x' m | choom -n 0 -- bash -x",
  "exec 0< <(printf 'r%s x' m); bash",
  "exec <<< 'r${z}m x'; bash",
  "bash --rcfile <(printf 'r%s x' m) -i",
  'source /dev/stdin <<< "$(printf \'r%s x\' m)"',
  'rbash -c \'r""m x\'',
  // What is printed and kept.
  'exec >F; echo rm x; exec >&2; sh F',
  'exec 3>f; echo rm x >&3; sh f',
  'echo rm x >&3',
  'echo rm x >&f',
  // Code that runs later, or in an index.
  "trap 'r${z}m x' EXIT",
  "trap -- 'r${z}m x' EXIT",
  'eval \'echo() { choom -n 0 -- "$@"; }\'; echo rm x',
  'trap "exec >f" DEBUG; echo rm x; sh f',
  'command eval \'echo() { choom -n 0 -- "$@"; }\'; echo rm x',
  "echo $(( 'a[$(rm x)]' ))",
  "(( 'a[$(rm x)]' ))",
  "echo ${a:'b[$(rm x)]'}",
  "echo ${PS4:='$(rm x)'}; set -x; ls",
  'choom -n 0 -- rm$X y',
  'choom -n 0 -- r${X}m y',
]

/** Lines of the same forms that run something else. */
const HARMLESS = [
  'ls {rm,push}',
  'cat src/{a,b}.ts',
  'chmod +x {a,b} *',
  'chmod +x bin/* bin/{a,b}.sh',
  "export PS4='+ '; set -x; ls",
  'timeout 5 npm test -- "$X"',
  'timeout --signal=KILL 5 npm test "$X"',
  'sudo -nu root npm test "$X"',
  'sudo -E npm test "$X"',
  'env A="$X" npm test',
  'env -u A npm test "$X"',
  'xargs -I {} cp {} "$DIR"',
  'openssl x509 -inform pem',
  'docker run --rm -it x',
  "node -e \"require('child_process').execFileSync('git',['log','origin'])\"",
  "perl -e 'exec qw[git log origin]'",
  "printf 'a:\\n\\t@echo x' | make -f -",
  'bash -c -x "ls"',
  'bash -cO extglob ls',
  'ls | bash scripts/dev/run.sh',
  'echo "${x}" rm',
  'git -C *x log',
  'bash --rcfile x -i',
  'ps aux | grep bash',
  'source x <<< "$(date)"',
  'exec > log.txt; ls',
  "trap 'ls' EXIT",
  "eval 'ls'; echo x",
  'echo $((1 + 2)) rm',
  'choom -n 0 -- ls$X y',
  'GIT_DIR=x git log',
  'git -C src log',
  'git --no-pager diff HEAD -- docs',
  'npx npm@10 test',
  'parallel gzip ::: a',
]

describe('a rule that denies a program', () => {
  test.each(HIDING_RM)('[GATE-14, ABUSE-112, ABUSE-113, ABUSE-114] refuses %j', async (command) => {
    expect(await isAllowed('Bash(rm:*)', command)).toBe(false)
  })

  test.each(HARMLESS)('[GATE-14] leaves %j', async (command) => {
    expect([await isAllowed('Bash(rm:*)', command), await isAllowed('Bash(git push:*)', command)]).toEqual([true, true])
  })

  test.each([
    ['Bash(npm publish:*)', 'npx npm@10 publish'],
    ['Bash(npm publish:*)', 'npx npm@^10 publish'],
    ['Bash(npm publish:*)', 'npx -y npm@latest publish'],
    ['Bash(npm publish:*)', '{npm,publish}'],
    ['Bash(npm publish:*)', 'choom -n 0 -- {npm,publish}'],
    ['Bash(curl:*)', "tar -cI'curl x'"],
    ['Bash(git push:*)', '{git,push,origin}'],
    ['Bash(git push:*)', "env -vS'git push'"],
    ['Bash(git push:*)', 'parallel git ::: push'],
    ['Bash(git push:*)', 'parallel git :::: file'],
    ['Bash(git push:*)', 'GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=alias.x GIT_CONFIG_VALUE_0=push git x origin'],
    ['Bash(git push:*)', 'export GIT_CONFIG_PARAMETERS="\'alias.x=push\'"; git x origin'],
    ['Bash(git push:*)', 'env GIT_CONFIG_COUNT=1 git x'],
    ['Bash(git push:*)', 'read GIT_CONFIG_KEY_0 x <<< alias.x; git x'],
    ['Bash(git push:*)', 'choom -n 0 -- ${x:-git} push'],
    ['Bash(git push:*)', 'V=push git --config-env=alias.x=V x'],
    ['Bash(git push:*)', 'V=push git --config-env alias.x=V x'],
    ['Bash(git push:*)', "node -e \"require('child_process').execFileSync('git',['push','origin'])\""],
    ['Bash(git push:*)', "perl -e 'exec qw[git push origin]'"],
    ['Bash(git push:*)', "python3 -c \"import subprocess; subprocess.run(['git','-C','/x y','push'])\""],
    ['Bash(git push:*)', 'git -C *sh log'],
    ['Bash(git push:*)', "git -C '/a b' push"],
    ['Bash(git push:*)', 'git -C "$repo/a b" push'],
    ['Bash(git push:*)', 'git -C "$repo" $x'],
    ['Bash(git push:*)', 'git -C $repo log'],
    // Behind an option any word may be the subcommand.
    ['Bash(git push:*)', 'git -C "$repo" log'],
    ['Bash(git push:*)', 'git --no-pager diff HEAD -- docs/push'],
    ['Bash(git push:*)', 'git --git-dir x --work-tree y --no-pager push'],
    ['Bash(git push:*)', 'git -C x -c alias.p=push p'],
    ['Bash(git push:*)', `git ${'-C x '.repeat(20)}push`],
    ['Bash(git push:*)', `git ${"-C 'x y' ".repeat(8)}push`],
  ])('[GATE-14, ABUSE-131] %s refuses %j', async (deny, command) => {
    expect(await isAllowed(deny, command)).toBe(false)
  })
})
