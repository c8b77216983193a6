import { describe, expect, it } from 'vitest'
import { keeping } from '../../audit/world.ts'
import { activate, call, openBringing, tool } from './toolset-world.ts'
import { openRepertoire } from '../../../src/index.ts'

/** A tool that never answers, and the signals that it was given. */
function silent() {
  const signals: AbortSignal[] = []
  const begun = Promise.withResolvers<void>()
  const stuck = tool('stuck', (_input, { signal }) => {
    signals.push(signal!)
    begun.resolve()
    return new Promise(() => undefined)
  })
  return { signals, stuck, begun: begun.promise }
}

describe('a call of a tool that a skill has brought', () => {
  it('[RUN-10, OBS-1] is given up when its time is over: its signal aborts, the model is told, the audit has a failure', async () => {
    const sink = keeping()
    const { stuck, signals } = silent()
    const { session } = await openBringing({ exported: [stuck], callTimeout: 5, repertoire: { audit: { sink } } })
    await activate(session, 'kit')
    const message = 'The tool took longer than 5 ms and was aborted. What it had done by then is done.'
    expect(await call(session, 'stuck')).toEqual({
      ok: true,
      value: { isError: true, message },
      text: JSON.stringify({ error: { message } }),
    })
    expect(signals[0]?.reason).toMatchObject({ name: 'TimeoutError' })
    await session.end()
    const ends = sink.events.filter(({ type }) => type === 'tool.finished')
    expect(ends).toMatchObject([{ tool: 'stuck', outcome: 'failed' }])
  })

  it('[RUN-10] is not waited for where the run is aborted, and is told so', async () => {
    const { stuck, signals, begun } = silent()
    const { session } = await openBringing({ exported: [stuck] })
    await activate(session, 'kit')
    const controller = new AbortController()
    const running = call(session, 'stuck', {}, controller.signal)
    await begun
    controller.abort(new Error('enough'))
    await expect(running).rejects.toThrow('enough')
    expect(signals[0]?.aborted).toBe(true)
  })

  it('[RUN-10] makes a step of a plan fail, and the next step does not begin', async () => {
    const text =
      '---\nname: kit\ndescription: d\ntype: composite\ntoolsets: ["toolsets/index:tools"]\n---\n```yaml\nsteps:\n  - tool: stuck\n  - tool: Read\n```\n'
    const skills = { kit: { 'SKILL.md': text, 'toolsets/index.mjs': '' } }
    const { stuck } = silent()
    const { session } = await openBringing({
      exported: [stuck],
      skills,
      callTimeout: 5,
      session: { runStep: () => 'host' },
    })
    expect(await activate(session, 'kit')).toMatchObject({ value: { run: { ok: false, results: [{ ok: false }] } } })
  })

  it('[RUN-10] has a time of more than 0, or no limit', async () => {
    const loader = { load: async () => [] }
    for (const callTimeout of [0, -1, Number.NaN, '5' as never]) {
      const toolsets = { loader, layers: ['personal'] as const, callTimeout }
      await expect(openRepertoire({ sources: [], toolsets })).rejects.toThrow('`toolsets.callTimeout` is')
    }
    const toolsets = { loader, layers: ['personal'] as const, callTimeout: Infinity }
    await (await openRepertoire({ sources: [], toolsets })).close()
  })
})
