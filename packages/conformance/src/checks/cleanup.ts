import { type AuditEvent, type FunctionTool, memorySource, type SkillSource } from '@repertoire/core'
import { failure } from '../failure.ts'
import { done, contains, refusedWith, same, shown } from './assertions.ts'
import { activate, call, say, write } from './script-steps.ts'
import { abortAt, isAborted, slowTool } from './stopping.ts'
import { checksOf, playTrial } from './define.ts'

export const cleanupChecks = checksOf('cleanup', [
  {
    id: 'cleanup-after-success',
    title: '[ACT-7] deactivates every skill when the task ends',
    async run(bench) {
      const trial = await playTrial(bench, { script: [activate('safe-edit'), activate('test-first-fix'), say()] })
      same('the active skills before the end', await trial.active(), ['safe-edit', 'test-first-fix'])
      await trial.end()
      same('the active skills after the end', await trial.active(), [])
    },
  },
  {
    id: 'cleanup-after-error',
    title: '[ACT-7] deactivates every skill when a failed task ends',
    async run(bench) {
      const trial = await bench.open({ script: [activate('safe-edit'), { status: 400, message: 'Out of order.' }] })
      await trial.send('Hello').then(
        (turn) => {
          throw failure('the send to reject', turn)
        },
        () => undefined,
      )
      await trial.end()
      same('the active skills after the end', await trial.active(), [])
    },
  },
  {
    id: 'cleanup-after-abort',
    needs: ['abort'],
    title:
      '[ACT-7] stops when the run is aborted while the model answers, and deactivates every skill when the task ends',
    async run(bench) {
      const abort = new AbortController()
      const reached = Promise.withResolvers<void>()
      const trial = await bench.open({
        script: [
          activate('safe-edit'),
          () => {
            reached.resolve()
            return {
              hold: new Promise<void>((resolve) => abort.signal.addEventListener('abort', () => resolve())),
              next: say(),
            }
          },
        ],
      })
      isAborted(await abortAt(reached.promise, trial, 'Hello', abort))
      await trial.end()
      same('the active skills after the end', await trial.active(), [])
    },
  },
  {
    id: 'cleanup-abort-reaches-tools',
    needs: ['abort'],
    title: "[ADPT-4] passes the run's abort signal to a tool of the host, and stops while the tool is running",
    async run(bench) {
      const slow = slowTool()
      const trial = await bench.open({ tools: [slow.tool], script: [call('Slow'), say('Nobody asked me.')] })
      const turn = await abortAt(slow.begun, trial, 'Hello')
      const signal = slow.signal()
      if (signal === undefined) throw failure('the tool to be given a signal in the options of `execute`', 'none')
      same("whether the tool's signal is aborted", signal.aborted, true)
      isAborted(turn)
      same('the requests', trial.requests.length, 1)
    },
  },
  {
    id: 'cleanup-abort-after-answer',
    needs: ['abort', 'suspend'],
    title: '[ADPT-4, ASK-5] stops a run that an answer continued, and passes its abort signal to a tool of the host',
    async run(bench) {
      const slow = slowTool()
      const trial = await bench.open({
        tools: [slow.tool],
        consent: 'suspend',
        session: { policy: { ask: ['Slow'] } },
        script: [call('Slow'), say('Nobody asked me.')],
      })
      const turn = await trial.send('Hello')
      const answers = turn.status === 'asking' ? turn.requests.map(({ id }) => ({ requestId: id, approved: true })) : []
      same('the number of consent requests', answers.length, 1)
      isAborted(await abortAt(slow.begun, trial, answers))
      same("whether the tool's signal is aborted", slow.signal()?.aborted, true)
      same('the requests', trial.requests.length, 1)
    },
  },
  {
    id: 'cleanup-abort-stuck-tool',
    needs: ['abort'],
    title: '[CAT-10, ABUSE-141] stops at an abort while a tool of the host ignores its signal, and can end then',
    async run(bench) {
      const begun = Promise.withResolvers<void>()
      const release = Promise.withResolvers<string>()
      const events: AuditEvent[] = []
      const stuck: FunctionTool = {
        ...slowTool().tool,
        execute() {
          begun.resolve()
          return release.promise
        },
      }
      const trial = await bench.open({
        tools: [stuck],
        repertoire: { audit: { write: (event) => void events.push(event) } },
        script: [call('Slow'), say('Nobody asked me.')],
      })
      isAborted(await abortAt(begun.promise, trial, 'Hello'))
      await trial.end()
      same(
        'what the audit says of the call',
        events.flatMap(({ type, outcome }) => (type === 'tool.finished' ? [outcome] : [])),
        ['aborted'],
      )
      release.resolve('Too late.')
      same('the requests', trial.requests.length, 1)
    },
  },
  {
    id: 'cleanup-abort-stuck-folder',
    needs: ['abort'],
    title: '[CAT-10, ABUSE-121] stops at an abort while a folder that never answers is being read, and can end then',
    async run(bench) {
      const begun = Promise.withResolvers<void>()
      const stuck = (): Promise<never> => {
        begun.resolve()
        return new Promise<never>(() => {})
      }
      const skills = { stuck: { 'SKILL.md': '---\nname: stuck\ndescription: Never answers.\n---\nBody.\n' } }
      const memory = memorySource({ layer: 'project', skills })
      const source: SkillSource = {
        ...memory,
        scan: () => memory.scan().map((found) => ({ ...found, folder: { ...found.folder, readManifest: stuck } })),
      }
      const trial = await bench.open({
        sources: [source],
        repertoire: { catalog: { loadTimeout: Infinity } },
        script: [activate('stuck'), say('Nobody asked me.')],
      })
      isAborted(await abortAt(begun.promise, trial, 'Hello'))
      same('the requests', trial.requests.length, 1)
      await trial.end()
      same('the active skills after the end', await trial.active(), [])
    },
  },
  {
    id: 'cleanup-resume',
    needs: ['resume'],
    title: '[ACT-15] keeps active skills and their restriction when a session is saved and resumed in a fresh process',
    async run(bench) {
      const first = await playTrial(bench, { script: [activate('safe-edit'), say('Ready.')] })
      const saved = await first.save()
      const second = await bench.open({
        script: [write('src/a.ts', ''), write('docs/a.md', ''), say()],
        saved,
      })
      same('the active skills', await second.active(), ['safe-edit'])
      done(await second.send('Go on'))
      // The scripts of the two trials number their calls independently, so call ids may be equal; the requests tell
      // them apart.
      same(
        'the files that were written',
        second.runs.map(({ input }) => (input as { file_path: string }).file_path),
        ['docs/a.md'],
      )
      const [wire] = second.requests
      if (wire === undefined) throw failure('a request', second.requests)
      contains(
        'the first request of the fresh process',
        shown(wire),
        'Make the smallest change that does what was asked.',
      )
    },
  },
  {
    id: 'cleanup-resume-consent',
    needs: ['resume'],
    title: '[ACT-15, ASK-1] keeps granted consent when a session is saved and resumed in a fresh process',
    async run(bench) {
      const script = [activate('safe-edit'), { calls: [{ id: 'leave', tool: 'deactivate_skill', input: {} }] }, say()]
      const first = await playTrial(bench, { script })
      const saved = await first.save()
      const second = await bench.open({
        script: [{ calls: [{ id: 'again', tool: 'activate_skill', input: { name: 'safe-edit' } }] }, say()],
        saved,
        consent: () => false,
      })
      done(await second.send('Go on'))
      contains('the result', second.resultOf('again'), 'Make the smallest change that does what was asked.')
    },
  },
  {
    id: 'cleanup-ended-is-ended',
    title: '[ACT-7, GATE-5] does not restrict later tasks by the skills of an ended one',
    async run(bench) {
      const first = await playTrial(bench, {
        script: [activate('safe-edit'), write('src/a.ts', ''), say()],
      })
      refusedWith(first, 'call_2_1', 'TOOL_NOT_ALLOWED')
      await first.end()
      const second = await playTrial(bench, { script: [write('src/a.ts', ''), say()] })
      same('the number of runs', second.runs.length, 1)
    },
  },
])
