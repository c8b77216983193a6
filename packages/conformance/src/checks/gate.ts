import { memorySource } from '@repertoire/core'
import { failure } from '../failure.ts'
import { done, contains, offered, ran, refusedWith, request, same } from './assertions.ts'
import { answersAsCore, wordsOfCore } from './reference.ts'
import { activate, bash, call, deactivate, fetchPage, read, say, together, write } from './script-steps.ts'
import { checksOf, playTrial } from './define.ts'

const withRules = (allowedTools: string) =>
  memorySource({
    layer: 'project',
    skills: { bounded: { 'SKILL.md': `---\nname: bounded\ndescription: A skill.\n${allowedTools}\n---\nBody.\n` } },
  })

export const gateChecks = checksOf('gate', [
  {
    id: 'gate-hides-tools',
    level: 'SHOULD',
    needs: ['hiding'],
    title: '[GATE-1] hides tools that the active skill does not allow from the model, and shows them again afterwards',
    async run(bench) {
      const trial = await playTrial(bench, { script: [activate('safe-edit'), deactivate(), say()] })
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
    title: '[GATE-1, GATE-7] refuses a call of a tool that was hidden from the model and is not allowed: nothing runs',
    async run(bench) {
      const trial = await playTrial(bench, {
        script: [activate('safe-edit'), fetchPage(), say()],
      })
      same('the tools that ran', trial.runs, [])
      const refusal = refusedWith(trial, 'call_2_1', 'TOOL_NOT_ALLOWED')
      same('the allowed tools', refusal.allowedTools, ['Read', 'Write(docs/**)', 'Bash(git diff:*)'])
    },
  },
  {
    id: 'gate-words-of-core',
    title: '[GATE-7, ADPT-4] words every refusal exactly as core does',
    async run(bench) {
      const steps = [
        activate('safe-edit'),
        fetchPage(),
        write('src/main.ts'),
        bash('git diff && rm -rf .'),
        bash('npm publish'),
        call('Nonsense'),
      ]
      const trial = await playTrial(bench, { script: [...steps, say()], maxSteps: 10 })
      await answersAsCore(trial, steps)
      same('the tools that ran', trial.runs, [])
    },
  },
  {
    id: 'gate-allowed-call',
    title: '[GATE-1] runs an allowed call once, with the input that the model wrote, and shows its result',
    async run(bench) {
      const input = { file_path: 'docs/a.md', content: 'Zeile „ä“\n\t{"x": [1, null, true]} 技能 $& \\n' }
      const trial = await playTrial(bench, { script: [activate('safe-edit'), call('Write', input), say()] })
      same('the runs', trial.runs, [{ tool: 'Write', input, callId: 'call_2_1' }])
      contains('the result', trial.resultOf('call_2_1'), 'docs/a.md')
    },
  },
  {
    id: 'gate-no-rules',
    title: '[GATE-2, MAN-8] restricts nothing where the active skill has no `allowed-tools`',
    async run(bench) {
      const trial = await playTrial(bench, {
        script: [activate('release-notes'), write('x', 'y'), bash('a; b'), say()],
      })
      same('the tools that ran', ran(trial), ['Write', 'Bash'])
    },
  },
  {
    id: 'gate-empty-rules',
    title: '[GATE-2, MAN-8] allows only the skill tools where `allowed-tools` is empty',
    async run(bench) {
      const script = [activate('bounded'), read('a'), bash('ls'), deactivate(), read('a'), say()]
      const trial = await playTrial(bench, { script, sources: [withRules('allowed-tools: []')] })
      refusedWith(trial, 'call_2_1', 'TOOL_NOT_ALLOWED')
      refusedWith(trial, 'call_3_1', 'TOOL_NOT_ALLOWED')
      same('the tools that ran', ran(trial), ['Read'])
    },
  },
  {
    id: 'gate-tool-name-case',
    title: '[GATE-2, ABUSE-44] compares tool names without regard to case: the allowed one runs, the other is refused',
    async run(bench) {
      const script = [
        activate('bounded'),
        call('bash', { command: 'ls' }),
        call('WRITE', { file_path: 'a', content: 'b' }),
        say(),
      ]
      const trial = await playTrial(bench, { script, sources: [withRules('allowed-tools: bAsH')] })
      same('the tools that ran', ran(trial), ['Bash'])
      refusedWith(trial, 'call_3_1', 'TOOL_NOT_ALLOWED')
    },
  },
  {
    id: 'gate-unknown-tool',
    title: "[GATE-1, ABUSE-44] answers in core's words a call of a tool that does not exist, and goes on",
    async run(bench) {
      const trial = await bench.open({ script: [call('rm_rf', { path: '/' }), say('I went on.')] })
      const turn = await trial.send('Hello')
      const [expected] = await wordsOfCore([call('rm_rf', { path: '/' })])
      same('the result', trial.resultOf('call_1_1'), expected)
      refusedWith(trial, 'call_1_1', 'TOOL_UNKNOWN')
      same('the turn', turn, { status: 'done', text: 'I went on.' })
      same('the tools that ran', trial.runs, [])
    },
  },
  {
    id: 'gate-same-message',
    needs: ['parallelCalls'],
    title:
      '[GATE-5] judges all calls of one message by the skills that were active when it was written: a deactivation among them lifts nothing for the others',
    async run(bench) {
      const trial = await playTrial(bench, {
        script: [activate('safe-edit'), together(deactivate(), write('src/a.ts')), write('src/b.ts', 'y'), say()],
      })
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
    needs: ['parallelCalls'],
    title: '[GATE-5] judges each call of one message on its own and gives each its own result',
    async run(bench) {
      const trial = await playTrial(bench, {
        script: [activate('safe-edit'), together(read('a'), fetchPage(), bash('git diff'), bash('rm -rf .')), say()],
      })
      same('the tools that ran', [...ran(trial)].toSorted(), ['Bash', 'Read'])
      contains('the result of the first call', trial.resultOf('call_2_1'), 'a')
      refusedWith(trial, 'call_2_2', 'TOOL_NOT_ALLOWED')
      contains('the result of the third call', trial.resultOf('call_2_3'), 'git diff')
      refusedWith(trial, 'call_2_4', 'TOOL_NOT_ALLOWED')
    },
  },
  {
    id: 'gate-lifted-by-deactivation',
    title: '[GATE-5] restricts until the skill is deactivated, and no longer',
    async run(bench) {
      const trial = await playTrial(bench, {
        script: [
          write('src/1.ts'),
          activate('safe-edit'),
          write('src/2.ts'),
          deactivate('safe-edit'),
          write('src/3.ts'),
          say(),
        ],
      })
      same(
        'the files that were written',
        trial.runs.map(({ input }) => (input as { file_path: string }).file_path),
        ['src/1.ts', 'src/3.ts'],
      )
    },
  },
  {
    id: 'gate-after-throwing-tool',
    title: '[GATE-5] still restricts after a tool has thrown',
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
      const writing = {
        name: 'Write',
        description: 'Writes a file.',
        inputSchema: { type: 'object', properties: { file_path: { type: 'string' } }, required: ['file_path'] },
        execute: (input: unknown) => void written.push(input),
      }
      const trial = await playTrial(bench, {
        tools: [throwing, writing],
        script: [activate('safe-edit'), read('a'), call('Write', { file_path: 'src/a.ts' }), say()],
      })
      same('the result of the tool that threw', trial.resultOf('call_2_1'), 'The disk is on fire.')
      refusedWith(trial, 'call_3_1', 'TOOL_NOT_ALLOWED')
      if (written.length > 0) throw failure('nothing to be written', written)
    },
  },
  {
    id: 'gate-after-abort',
    needs: ['abort', 'continuation'],
    title: '[GATE-5, ACT-7] still restricts the next message of the task after a run was aborted',
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
        // Frameworks differ in whether an aborted run still calls the model; every request after the abort gets the
        // same answer.
        script: [
          activate('safe-edit'),
          read('a'),
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
])
