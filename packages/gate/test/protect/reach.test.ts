import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { judge, resolveGate, type HostPolicy } from '../../src/internal.ts'
import { toolset } from '../toolset.ts'
import { runs as examples } from '@repertoire/test-servers/properties'

const CWD = '/work/project'
const POLICY: HostPolicy = { protect: ['.agent/config.json', '/work/project/policy/rules.json'] }

const TOOLS = toolset({ open: { argument: ['path', 'filename'], kind: 'path', reads: true } })

async function runs(tool: string, input: unknown, policy: HostPolicy = POLICY): Promise<boolean> {
  return (await judge({ tool, input }, [], { gate: resolveGate({ policy }), tools: TOOLS, cwd: CWD })).allowed
}

const shell = (command: string, more: object = {}): Promise<boolean> => runs('Bash', { command, ...more })

describe('a protected file in another folder than the working folder', () => {
  test.each([
    'cd .agent && cat conf*',
    'cd .agent; cat ./c*.json',
    'cd .ag* && cat config.json',
    'cd .ag* && cat conf*',
    'cd .a?ent; head conf*',
    'cd ./.agent/../.agent && cat con[f]ig.*',
    'pushd .agent && cat conf*',
    '(cd .agent && cat conf*)',
    '(cd .agent; (cat conf*))',
    '{ cd .agent; cat conf*; }',
    'cd policy && cat *',
    'cd po* && cat r*',
    'cd / && cat work/project/.ag*/conf*',
    'cd .. && cat project/.ag*/conf*',
    'cd ../.. && cat w*/p*/policy/r*',
    'cd src && cat ../.ag*/conf*',
    'cd ~/project && cat conf*; cd /work/project/policy; cat r*',
    'cd $X && cat rules.json',
    'cd "$(x)"; cat rules.js*',
    'cd - && cat rules.json',
    'cd .[.] && cat project/pol*/rules.json',
    'CDPATH=policy; cd x && cat r*.json',
    'popd && cat rul*',
    'f() { cat rul*; }; cd policy; f',
    "trap 'cat rul*' EXIT; cd policy",
    'while cd policy; do cat rul*; done',
    'cat < /dev/null; cd policy; cat < rul*',
    'cd policy; for f in r*; do cat $f; done',
    "cd policy; bash -c 'cat r*'",
    "bash -c 'cd policy; cat r*'",
    "eval 'cd policy'; cat r*",
    "env -C policy sh -c 'cat r*'",
    'env -C po* cat rules.json',
    'env --chdir=po* cat rules.json',
    "sudo -D po* sh -c 'cat rules.json'",
    'git -C po* show rules.json',
    'git -C po* diff --no-index /dev/null rules.json',
    'make -C po* rules.json',
    'tar -C po* -cf - rules.json',
    'tar -Cpo* -cf - rules.json',
    'find po* -maxdepth 1 -execdir cat rules.json \\;',
    'rsync -a po*/ rules.json',
    'cat /proc/self/cwd/pol*/r*',
    'cat /proc/self/cwd/.ag*/c*',
    'cat /proc/1/root/work/project/pol*/r*',
    'cat /pr?c/self/c?d/pol*/r*',
    'cat /dev/fd/3/r*.json',
    'cat /proc/self/fd/3/r*.json',
    'cat $PWD/pol*/r*',
    'cat "$PWD"/pol*/r*',
    'cat ${PWD}/pol*/r*',
    'cat /proc/$$/cwd/policy/r*',
    'cat /proc/$PPID/cwd/pol*/rules.json',
    'dirs; cd ~1; cat r*',
    'cat src/$X/rules.json',
    // A part of the name is in a variable.
    'X=rules; cat policy/$X.json',
    'cat policy/$X',
    'cat "policy/$X.json"',
    'cat policy/r${X}s.json',
    'cat .agent/$(echo config).json',
    'cat .agent/`echo config`.json',
    'for f in rules; do cat "policy/$f.json"; done',
    'ls policy | while read f; do cat "policy/$f"; done',
    'cd policy; cat $X.json',
    "bash -c 'cat policy/$0.json' rules",
    'x --from=policy/$X',
    'env -C policy cat r$X',
    'cat /work/project/policy/${X:-a}.json',
    'cat $X/rules.json',
    'cat "$X/rules.json"',
    'cat $(x)/rul*',
    'cat **/rules.json',
    'cat po*/{rules,x}.json',
    'cd po{licy,x} && cat r*',
    'curl file:///work/project/p%6flicy/rules%2ejson',
    'curl FILE://localhost/work/project/policy/%72ules.json',
    'cat policy/rules.json',
    'cat p"ol"icy/rul\\es.json',
    `cat pol*/${'*'.repeat(1_200)}`,
  ])('[ABUSE-114] is not named by %s', async (command) => {
    expect(await shell(command)).toBe(false)
  })

  test.each([
    ['cat r*', { cwd: 'policy' }],
    ['cat rules.json', { workdir: '/work/project/policy' }],
    ['cat r*', { cwd: '/work/project/policy/' }],
    ['cat policy/r*', { cwd: '.' }],
    ['cat project/policy/r*', { cwd: '..' }],
    ['cd .. && cat r*', { cwd: 'policy/x' }],
    ['cat r*', { cwd: ['policy'] }],
    ['rm -rf policy', { cwd: '/work/project' }],
    ['rm -rf *', { cwd: 'policy' }],
    ['rm -rf project', { cwd: '/work' }],
    ['rm -rf ../policy', { working_directory: 'src' }],
    ['mv policy x', { cwd: 7 }],
  ])('[ABUSE-114, GATE-12] is not named by %s with %j', async (command, more) => {
    expect(await shell(command, more)).toBe(false)
  })

  test.each([
    { path: 'policy', filename: 'rules.json' },
    { filename: 'rules.json', path: '/work/project/policy/' },
    { path: '/work/project', filename: 'policy/rules.json' },
    { path: 'src', filename: '../policy/rules.json' },
    { path: 'policy', filename: 'r*.json' },
    { path: 'policy', filename: 'RULES.JSON' },
    { path: 'file:///work/project/p%6flicy/rules.json' },
    { path: 'file:/work/project/policy/%72ules.json' },
    { path: 'file://host/work/project/policy/rules.json' },
    { path: 'file:policy/rules%2Ejson' },
    { root: '/work', path: 'project', filename: 'policy/rules.json' },
    { root: '/work', path: 'project/policy', name: 'rules.json' },
    { path: '/proc/self/cwd/policy/rules.json' },
    { path: '/proc/self/cwd', filename: 'policy/rules.json' },
  ])('[ABUSE-114] is not named by arguments that a tool joins: %j', async (input) => {
    expect(await runs('open', input)).toBe(false)
  })

  test('[ABUSE-114] is named behind no wrapper, change of folder or subshell', async () => {
    const COMMANDS = ['cat policy/rules.json', 'cat pol*/r*', 'rm -rf policy', 'cat .agent/config.json', 'mv policy x']
    const wrap = fc.constantFrom(
      (line: string) => `(${line})`,
      (line: string) => `{ ${line}; }`,
      (line: string) => `cd . && ${line}`,
      (line: string) => `cd src; cd ..; ${line}`,
      (line: string) => `pushd . ; ${line}`,
      (line: string) => `true && ${line}`,
      (line: string) => `false || ${line}`,
      (line: string) => `if true; then ${line}; fi`,
      (line: string) => `for x in 1; do ${line}; done`,
      (line: string) => `echo $(${line})`,
      (line: string) => `${line} | cat`,
      (line: string) => `f() { ${line}; }; f`,
      (line: string) => `! ${line}`,
      (line: string) => `${line} &`,
    )
    const prefix = fc.constantFrom('env ', 'sudo ', 'env -C . ', 'timeout 5 ', 'nice -n 5 ', 'command ', 'xargs ')
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...COMMANDS),
        fc.array(prefix, { maxLength: 3 }),
        fc.array(wrap, { maxLength: 4 }),
        async (command, prefixes, wraps) => {
          const line = wraps.reduce((inner, each) => each(inner), `A=1 ${prefixes.join('')}${command}`)
          expect([line, await shell(line)]).toEqual([line, false])
        },
      ),
      { numRuns: examples(500) },
    )
  })

  test.each([
    'cd src && cat *.ts',
    'cd packages/a && npm test',
    'cd src; cat config.ts rules.ts',
    '(cd docs && ls)',
    'cd .. && ls',
    'git -C sub status',
    'git add . package.json src/*.ts',
    'make -C build all',
    'tar -C dist -cf x.tar index.js',
    'ls src *.md',
    'cp src/*.json dist',
    'cat $X',
    'cat "$X"',
    'echo "$HOME/rules"',
    'for f in src/*.ts; do wc -l $f; done',
    'cat /proc/self/status',
    'cat /proc/cpuinfo',
    'cat /dev/null',
    'curl https://a.b/%7Ex?y=%20',
    'find . -name x.json',
    'cd src && cat config.json',
    `git commit -m "${'long '.repeat(500)}"`,
    `git add ${Array.from({ length: 500 }, (_, index) => `src/${index}.ts`).join(' ')}`,
  ])('[ABUSE-114] is not meant by %s', async (command) => {
    expect(await shell(command)).toBe(true)
  })

  test('[ABUSE-114] is not named by a command with more words than are compared', async () => {
    expect(await shell(`cat ${Array.from({ length: 200 }, (_, at) => `*/${at}*`).join(' ')}`)).toBe(true)
    expect(await shell(`cat ${'{a,b,c,d,e}/*x '.repeat(2_000)}`)).toBe(false)
    expect(await shell(`${'cd p*; '.repeat(1_000)}cat x*`)).toBe(false)
  })

  // In time that grows with the square of their length, some of these would take minutes.
  test.each([
    ['[a', true],
    ['$x', true],
    ['$x/', true],
    ['${a', false],
    ['<<a ', true],
    ['<<a rm ', false],
  ])('[ABUSE-43, ABUSE-114] is told apart from a very long command of %s', async (part, expected) => {
    expect(await shell(`cat ${part.repeat(50_000)}`)).toBe(expected)
    expect(await shell(`cat ${part.repeat(50_000)}; cat policy/rules.json`)).toBe(false)
  })

  test.each([
    { path: 'src', filename: 'rules.json' },
    { path: 'policy', filename: 'other.json' },
    { path: 'docs/policy.md' },
    { path: 'src', filename: 'config.json' },
  ])('[ABUSE-114] is not meant by %j', async (input) => {
    expect(await runs('open', input)).toBe(true)
  })
})
