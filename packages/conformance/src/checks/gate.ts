import { memorySource } from '@repertoire/core'
import { join } from 'node:path'
import type { Bench, Check, Trial } from '../check.ts'
import { failure } from '../failure.ts'
import { FIXTURE_SKILLS } from '../fixture-skills.ts'
import { done, holds, offered, ran, refusedWith, request, same } from './demand.ts'
import { wordsOfCore } from './reference.ts'
import { activate, call, deactivate, say, together } from './script-steps.ts'

/** Runs the shell commands one a step under a skill, and gives the trial. */
async function shellUnder(bench: Bench, skill: string, commands: readonly string[]): Promise<Trial> {
  const script = [activate(skill), ...commands.map((command) => call('Bash', { command })), say()]
  const trial = await bench.open({ script, maxSteps: script.length + 1 })
  done(await trial.send('Hello'))
  return trial
}

const withRules = (allowedTools: string) =>
  memorySource({
    layer: 'project',
    skills: { bounded: { 'SKILL.md': `---\nname: bounded\ndescription: A skill.\n${allowedTools}\n---\nBody.\n` } },
  })

export const gateChecks: readonly Check[] = [
  {
    id: 'gate-hides-tools',
    area: 'gate',
    level: 'SHOULD',
    needs: ['hiding'],
    title:
      '[GATE-1] keeps tools that the active skill does not allow from the sight of the model, and shows them again afterwards',
    async run(bench) {
      const trial = await bench.open({ script: [activate('safe-edit'), deactivate(), say()] })
      done(await trial.send('Hello'))
      const hosts = (number: number) =>
        offered(request(trial, number))
          .filter((name) => !name.includes('_skill'))
          .toSorted()
      same('the tools offered before', hosts(0), ['Bash', 'Read', 'WebFetch', 'Write'])
      same('the tools offered while it is active', hosts(1), ['Bash', 'Read', 'Write'])
      same('the tools offered afterwards', hosts(2), ['Bash', 'Read', 'WebFetch', 'Write'])
    },
  },
  {
    id: 'gate-rogue-call',
    area: 'gate',
    level: 'MUST',
    title: '[GATE-1, GATE-7] refuses a call of a tool that was hidden from the model and is not allowed: nothing runs',
    async run(bench) {
      const trial = await bench.open({
        script: [activate('safe-edit'), call('WebFetch', { url: 'https://example.com/' }), say()],
      })
      done(await trial.send('Hello'))
      same('the tools that ran', trial.runs, [])
      const refusal = refusedWith(trial, 'call_2_1', 'TOOL_NOT_ALLOWED')
      same('the allowed tools', refusal.allowedTools, ['Read', 'Write(docs/**)', 'Bash(git diff:*)'])
    },
  },
  {
    id: 'gate-words-of-core',
    area: 'gate',
    level: 'MUST',
    title: '[GATE-7, ADPT-4] words every refusal exactly as core does',
    async run(bench) {
      const calls = [
        { tool: 'WebFetch', input: { url: 'https://example.com/' } },
        { tool: 'Write', input: { file_path: 'src/main.ts', content: 'x' } },
        { tool: 'Bash', input: { command: 'git diff && rm -rf .' } },
        { tool: 'Bash', input: { command: 'npm publish' } },
        { tool: 'Nonsense', input: {} },
      ]
      const script = [activate('safe-edit'), ...calls.map(({ tool, input }) => call(tool, input)), say()]
      const trial = await bench.open({ script, maxSteps: 10 })
      done(await trial.send('Hello'))
      const [, ...expected] = await wordsOfCore([{ tool: 'activate_skill', input: { name: 'safe-edit' } }, ...calls])
      same(
        'the results',
        calls.map((_, index) => trial.resultOf(`call_${index + 2}_1`)),
        expected,
      )
      same('the tools that ran', trial.runs, [])
    },
  },
  {
    id: 'gate-allowed-call',
    area: 'gate',
    level: 'MUST',
    title: '[GATE-1] runs an allowed call once, with the input that the model wrote, and shows its result',
    async run(bench) {
      const input = { file_path: 'docs/a.md', content: 'Zeile „ä“\n\t{"x": [1, null, true]} 技能 $& \\n' }
      const trial = await bench.open({ script: [activate('safe-edit'), call('Write', input), say()] })
      done(await trial.send('Hello'))
      same('the runs', trial.runs, [{ tool: 'Write', input, callId: 'call_2_1' }])
      holds('the result', trial.resultOf('call_2_1'), 'docs/a.md')
    },
  },
  {
    id: 'gate-no-rules',
    area: 'gate',
    level: 'MUST',
    title: '[GATE-2, MAN-8] lets a skill without `allowed-tools` restrict nothing',
    async run(bench) {
      const trial = await bench.open({
        script: [
          activate('release-notes'),
          call('Write', { file_path: 'x', content: 'y' }),
          call('Bash', { command: 'a; b' }),
          say(),
        ],
      })
      done(await trial.send('Hello'))
      same('the tools that ran', ran(trial), ['Write', 'Bash'])
    },
  },
  {
    id: 'gate-empty-rules',
    area: 'gate',
    level: 'MUST',
    title: '[GATE-2, MAN-8] lets an empty `allowed-tools` allow the skill tools and nothing else',
    async run(bench) {
      const script = [
        activate('bounded'),
        call('Read', { file_path: 'a' }),
        call('Bash', { command: 'ls' }),
        deactivate(),
        call('Read', { file_path: 'a' }),
        say(),
      ]
      const trial = await bench.open({ script, sources: [withRules('allowed-tools: []')] })
      done(await trial.send('Hello'))
      refusedWith(trial, 'call_2_1', 'TOOL_NOT_ALLOWED')
      refusedWith(trial, 'call_3_1', 'TOOL_NOT_ALLOWED')
      same('the tools that ran', ran(trial), ['Read'])
    },
  },
  {
    id: 'gate-tool-name-case',
    area: 'gate',
    level: 'MUST',
    title: '[GATE-2, ABUSE-44] compares tool names in any case: the allowed one runs, the other is refused',
    async run(bench) {
      const script = [
        activate('bounded'),
        call('bash', { command: 'ls' }),
        call('WRITE', { file_path: 'a', content: 'b' }),
        say(),
      ]
      const trial = await bench.open({ script, sources: [withRules('allowed-tools: bAsH')] })
      done(await trial.send('Hello'))
      same('the tools that ran', ran(trial), ['Bash'])
      refusedWith(trial, 'call_3_1', 'TOOL_NOT_ALLOWED')
    },
  },
  {
    id: 'gate-unknown-tool',
    area: 'gate',
    level: 'MUST',
    title: '[GATE-1, ABUSE-44] answers a call of a tool that does not exist in the words of core, and goes on',
    async run(bench) {
      const trial = await bench.open({ script: [call('rm_rf', { path: '/' }), say('I went on.')] })
      const turn = await trial.send('Hello')
      const [expected] = await wordsOfCore([{ tool: 'rm_rf', input: { path: '/' } }])
      same('the result', trial.resultOf('call_1_1'), expected)
      refusedWith(trial, 'call_1_1', 'TOOL_UNKNOWN')
      same('the turn', turn, { status: 'done', text: 'I went on.' })
      same('the tools that ran', trial.runs, [])
    },
  },
  {
    id: 'gate-shell-pattern',
    area: 'gate',
    level: 'MUST',
    title: '[GATE-3, ABUSE-35] allows the commands of a prefix rule and no command that only looks alike',
    async run(bench) {
      const allowed = ['git log', 'git log --oneline -20', "git show 'HEAD~1'", 'git blame src/a.ts']
      const refused = ['git push', 'git', 'gitlog', 'GIT log', './git log', 'git\u00a0log', 'npm test']
      const trial = await shellUnder(bench, 'git-history', [...allowed, ...refused])
      same(
        'the commands that ran',
        trial.runs.map(({ input }) => (input as { command: string }).command),
        allowed,
      )
      for (const index of refused.keys()) refusedWith(trial, `call_${allowed.length + 2 + index}_1`, 'TOOL_NOT_ALLOWED')
    },
  },
  {
    id: 'gate-compound-commands',
    area: 'gate',
    level: 'MUST',
    title:
      '[GATE-3, ABUSE-36, ABUSE-37, ABUSE-38, ABUSE-43] matches a prefix rule with no compound or unparsable command',
    async run(bench) {
      const commands = [
        'git log; rm -rf .',
        'git log && rm -rf .',
        'git log || rm -rf .',
        'git log | sh',
        'git log & rm -rf .',
        'git log\nrm -rf .',
        'git log $(rm -rf .)',
        'git log `rm -rf .`',
        'git log <(rm -rf .)',
        'git log > /etc/passwd',
        'git log << EOF\nx\nEOF',
        'GIT_PAGER="rm -rf ." git log',
        'git log "$(id)"',
        'git log ${x@P}',
        'git log "unclosed',
        `git log ${'a'.repeat(10_001)}`,
      ]
      const trial = await shellUnder(bench, 'git-history', commands)
      same('the tools that ran', trial.runs, [])
      for (const index of commands.keys()) refusedWith(trial, `call_${index + 2}_1`, 'TOOL_NOT_ALLOWED')
    },
  },
  {
    id: 'gate-path-pattern',
    area: 'gate',
    level: 'MUST',
    title: '[GATE-3] allows the paths of a pattern and none that leads out of it',
    async run(bench) {
      const allowed = ['docs/a.md', 'docs/deep/b.md', './docs/c.md']
      const refused = ['src/a.ts', 'docs/../src/a.ts', 'docs-evil/a.md', '/etc/passwd', 'docs/../../docs/a.md']
      const write = (path: string) => call('Write', { file_path: path, content: 'x' })
      const script = [activate('safe-edit'), ...[...allowed, ...refused].map(write), say()]
      const trial = await bench.open({ script, maxSteps: script.length + 1 })
      done(await trial.send('Hello'))
      same(
        'the paths that were written',
        trial.runs.map(({ input }) => (input as { file_path: string }).file_path),
        allowed,
      )
    },
  },
  {
    id: 'gate-url-pattern',
    area: 'gate',
    level: 'MUST',
    title: '[GATE-3] allows the addresses of a domain rule and no other',
    async run(bench) {
      const allowed = ['https://github.com/a/b/issues/1', 'https://api.github.com/x']
      const refused = [
        'https://github.com.evil.example/',
        'https://evil.example/github.com',
        'https://github.com@evil.example/',
        'file:///etc/passwd',
        'notgithub.com',
      ]
      const script = [
        activate('git-history'),
        ...[...allowed, ...refused].map((url) => call('WebFetch', { url })),
        say(),
      ]
      const trial = await bench.open({ script, maxSteps: script.length + 1 })
      done(await trial.send('Hello'))
      same(
        'the addresses that were fetched',
        trial.runs.map(({ input }) => (input as { url: string }).url),
        allowed,
      )
    },
  },
  {
    id: 'gate-script-read',
    area: 'gate',
    level: 'MUST',
    title: '[GATE-4] refuses to read a script of an active skill with a read tool, and says how to run it',
    async run(bench) {
      const absolute = join(FIXTURE_SKILLS, 'release-notes', 'scripts', 'collect.sh')
      const paths = [absolute, 'scripts/collect.sh', absolute.replace('/scripts/', '/references/../scripts/')]
      const script = [
        activate('release-notes'),
        ...paths.map((path) => call('Read', { file_path: path })),
        call('Read', { file_path: 'README.md' }),
        say(),
      ]
      const trial = await bench.open({ script })
      done(await trial.send('Hello'))
      for (const index of paths.keys())
        holds(
          'the reason',
          refusedWith(trial, `call_${index + 2}_1`, 'SCRIPT_READ_BLOCKED').reason,
          `Run it with "Bash": ${absolute}`,
        )
      same(
        'the files that were read',
        trial.runs.map(({ input }) => input),
        [{ file_path: 'README.md' }],
      )
    },
  },
  {
    id: 'gate-same-message',
    area: 'gate',
    level: 'MUST',
    needs: ['parallelCalls'],
    title:
      '[GATE-5] judges all calls of one message by the skills that were active when it was written: leaving a skill beside frees nothing',
    async run(bench) {
      const trial = await bench.open({
        script: [
          activate('safe-edit'),
          together(deactivate(), call('Write', { file_path: 'src/a.ts', content: 'x' })),
          call('Write', { file_path: 'src/b.ts', content: 'y' }),
          say(),
        ],
      })
      done(await trial.send('Hello'))
      refusedWith(trial, 'call_2_2', 'TOOL_NOT_ALLOWED')
      same(
        'the runs',
        trial.runs.map(({ input }) => (input as { file_path: string }).file_path),
        ['src/b.ts'],
      )
    },
  },
  {
    id: 'gate-parallel-calls',
    area: 'gate',
    level: 'MUST',
    needs: ['parallelCalls'],
    title: '[GATE-5] judges calls of one message each on its own and gives each its own result',
    async run(bench) {
      const trial = await bench.open({
        script: [
          activate('safe-edit'),
          together(
            call('Read', { file_path: 'a' }),
            call('WebFetch', { url: 'https://example.com/' }),
            call('Bash', { command: 'git diff' }),
            call('Bash', { command: 'rm -rf .' }),
          ),
          say(),
        ],
      })
      done(await trial.send('Hello'))
      same('the tools that ran', [...ran(trial)].toSorted(), ['Bash', 'Read'])
      holds('the result of the first call', trial.resultOf('call_2_1'), 'a')
      refusedWith(trial, 'call_2_2', 'TOOL_NOT_ALLOWED')
      holds('the result of the third call', trial.resultOf('call_2_3'), 'git diff')
      refusedWith(trial, 'call_2_4', 'TOOL_NOT_ALLOWED')
    },
  },
  {
    id: 'gate-lifted-by-deactivation',
    area: 'gate',
    level: 'MUST',
    title: '[GATE-5] holds until the skill is deactivated, and no longer',
    async run(bench) {
      const write = (n: number) => call('Write', { file_path: `src/${n}.ts`, content: '' })
      const trial = await bench.open({
        script: [write(1), activate('safe-edit'), write(2), deactivate('safe-edit'), write(3), say()],
      })
      done(await trial.send('Hello'))
      same(
        'the files that were written',
        trial.runs.map(({ input }) => (input as { file_path: string }).file_path),
        ['src/1.ts', 'src/3.ts'],
      )
    },
  },
  {
    id: 'gate-after-throwing-tool',
    area: 'gate',
    level: 'MUST',
    title: '[GATE-5] holds after a tool has thrown',
    async run(bench) {
      const throwing = {
        name: 'Read',
        description: 'Reads a file.',
        inputSchema: { type: 'object', properties: { file_path: { type: 'string' } }, required: ['file_path'] },
        execute: () => {
          throw new Error('The disk is on fire.')
        },
      }
      const written: unknown[] = []
      const write = {
        name: 'Write',
        description: 'Writes a file.',
        inputSchema: { type: 'object', properties: { file_path: { type: 'string' } }, required: ['file_path'] },
        execute: (input: unknown) => void written.push(input),
      }
      const trial = await bench.open({
        tools: [throwing, write],
        script: [
          activate('safe-edit'),
          call('Read', { file_path: 'a' }),
          call('Write', { file_path: 'src/a.ts' }),
          say(),
        ],
      })
      done(await trial.send('Hello'))
      same('the result of the tool that threw', trial.resultOf('call_2_1'), 'The disk is on fire.')
      refusedWith(trial, 'call_3_1', 'TOOL_NOT_ALLOWED')
      if (written.length > 0) throw failure('nothing to be written', written)
    },
  },
  {
    id: 'gate-after-abort',
    area: 'gate',
    level: 'MUST',
    needs: ['abort'],
    title: '[GATE-5, ACT-7] holds after a run was aborted, for the next message of the task',
    async run(bench) {
      const abort = new AbortController()
      const stopping = {
        name: 'Read',
        description: 'Reads a file.',
        inputSchema: { type: 'object', properties: { file_path: { type: 'string' } }, required: ['file_path'] },
        execute: () => {
          abort.abort(new Error('The user pressed stop.'))
          return 'read'
        },
      }
      const fetched: unknown[] = []
      const fetching = {
        name: 'WebFetch',
        description: 'Fetches.',
        inputSchema: { type: 'object', properties: { url: { type: 'string' } }, required: ['url'] },
        execute: (input: unknown) => void fetched.push(input),
      }
      const trial = await bench.open({
        tools: [stopping, fetching],
        // What an aborted run still asks the model for differs; every request after the abort gets the same answer.
        script: [
          activate('safe-edit'),
          call('Read', { file_path: 'a' }),
          { calls: [{ id: 'rogue', tool: 'WebFetch', input: { url: 'https://example.com/' } }] },
          say(),
          say(),
        ],
      })
      let failed = false
      try {
        await trial.send('Hello', { signal: abort.signal })
      } catch {
        failed = true
      }
      if (!failed) throw failure('the aborted send to reject', 'a turn')
      same('the active skills', await trial.active(), ['safe-edit'])
      done(await trial.send('Go on'))
      if (fetched.length > 0) throw failure('nothing to be fetched', fetched)
    },
  },
]
