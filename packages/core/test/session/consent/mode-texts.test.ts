import { describe, expect, it } from 'vitest'
import { type AdapterSessionOptions, openAdapterSession } from '../../../src/adapter.ts'
import {
  type ConsentRequest,
  type GateMode,
  type SkillConsentRequest,
  memorySource,
  openRepertoire,
} from '../../../src/index.ts'
import { code } from '../outcome.ts'
import { reminderOf } from '../session-world.ts'

const skill = (name: string, fields = '', body = 'Body.') => ({
  'SKILL.md': `---\nname: ${name}\ndescription: d\n${fields}---\n${body}\n`,
})
const source = memorySource({
  layer: 'project',
  skills: {
    listing: skill('listing', 'allowed-tools: Read Bash\n'),
    none: skill('none', "allowed-tools: ''\n"),
    free: skill('free'),
    denying: skill('denying', 'allowed-tools: Read\ndisallowed-tools: Write\n'),
    rendered: skill('rendered', 'type: template\nallowed-tools: Read\n', '```\nHello.\n```'),
  },
})
const HOST = ['Read', 'Write', 'Bash']

/** What a person and a model are shown of a skill in a mode. */
async function shown(name: string, mode: GateMode, options: AdapterSessionOptions = {}) {
  let request: ConsentRequest | undefined
  const repertoire = await openRepertoire({ sources: [source], listing: { guidance: 'full' } })
  const session = openAdapterSession(repertoire, {
    hostTools: HOST,
    enforcement: mode,
    consent: (asked) => {
      request = asked
      return true
    },
    ...options,
  })
  const { instructions, tools } = await session.step({ tools: HOST })
  const { text = '' } = await session.call({ id: name, tool: 'activate_skill', input: { name } }, () => undefined)
  const leave = (await session.step({ tools: HOST })).tools.find((tool) => tool.name === 'deactivate_skill') ?? tools[0]
  return { request: request as SkillConsentRequest, text, instructions, leave: leave?.description, session, repertoire }
}

describe('what a yes means', () => {
  it.each<[GateMode, string, RegExp]>([
    [
      'restrict',
      'listing',
      /^only these tools may be used while the skill is active, as far as the host's policy and other active skills allow them\.$/,
    ],
    ['restrict', 'none', /^no tool but the skill tools may be used/],
    ['restrict', 'free', /^all tools stay usable as before\. The host's policy still applies\.$/],
    ['restrict', 'rendered', /^only these tools may be used during this call/],
    [
      'preapprove',
      'listing',
      /^calls of these tools need no further approval while the skill is active, unless another active skill with a list lacks them\. All other tools stay usable as before\./,
    ],
    ['preapprove', 'none', /^no tool is approved in advance: all tools stay usable as before\./],
    ['preapprove', 'free', /^no tool is approved in advance/],
    ['preapprove', 'denying', /All other tools stay usable as before, except for those that it forbids\./],
    [
      'advisory',
      'listing',
      /^the skill's tool rules refuse nothing: all tools stay usable as before\. The host's policy still applies\.$/,
    ],
    ['advisory', 'denying', /^the skill's tool rules refuse nothing/],
  ])(
    '[ASK-7] in the mode %s, of the skill %s, is a sentence of its own in the question',
    async (mode, name, expected) => {
      const { request } = await shown(name, mode)
      expect(request.meaning).toMatch(expected)
      expect(request.text.split('\n')).toContain(`  a yes means:   ${request.meaning}`)
      expect(request.mode).toBe(mode)
    },
  )

  it.each<[GateMode, string, string]>([
    [
      'restrict',
      'free',
      "all tools are usable. The host's policy still applies. The tool rules of other active skills do not apply meanwhile.",
    ],
    [
      'restrict',
      'listing',
      "only these tools may be used while the skill is active, as far as the host's policy allows them. The tool rules of other active skills do not apply meanwhile.",
    ],
    [
      'preapprove',
      'listing',
      "calls of these tools need no further approval while the skill is active. All other tools are usable. The host's policy still applies. The tool rules of other active skills do not apply meanwhile.",
    ],
    [
      'advisory',
      'free',
      "the skill's tool rules refuse nothing: all tools stay usable as before. The host's policy still applies.",
    ],
  ])('[ASK-7] says in the mode %s, of the skill %s, that it lifts the rules of others', async (mode, name, meaning) => {
    const options = { enforcement: { mode, from: 'top' } } as const
    expect((await shown(name, mode, options)).request.meaning).toBe(meaning)
    // The rules of a skill below it refuse nothing any more.
    const { session } = await shown('none', mode, options)
    const above = { id: 'a', tool: 'activate_skill', input: { name } }
    await (await session.step({ tools: HOST })).call(above, () => undefined)
    const read = { id: 'r', tool: 'Read', input: { file_path: 'a' } }
    expect(code(await session.call(read, () => 'read'))).toBe('ok')
  })

  it.each<[GateMode, string, string]>([
    [
      'restrict',
      'Allowed tools: Read, Bash\nNo other tools may be used while this skill is active.\n',
      'only those tools may be used.',
    ],
    [
      'preapprove',
      'Preapproved tools: Read, Bash\nTheir calls need no further approval. All other tools stay usable as before.\n',
      'calls of those tools need no further approval. All other tools stay usable as before.',
    ],
    [
      'advisory',
      'Recommended tools: Read, Bash\nAll other tools stay usable as before.\n',
      'A skill may recommend tools. All other tools stay usable while it is active.',
    ],
  ])('[ASK-7] in the mode %s is said in the activation and the guidance', async (mode, lines, guidance) => {
    const { text, instructions } = await shown('listing', mode)
    expect(text).toContain(lines)
    expect(instructions).toContain(guidance)
  })

  it('[ASK-7] is told alike by every text of a mode: none but `restrict` says that only some tools may be used', async () => {
    const restricted = /only th[eo]se tools may be used|No other tools may|Allowed tools/
    const { request: asked, text: told, instructions: guidance } = await shown('listing', 'restrict')
    for (const each of [asked.text, told, guidance]) expect(each).toMatch(restricted)
    for (const mode of ['preapprove', 'advisory'] as const) {
      for (const name of ['listing', 'none', 'free', 'denying']) {
        const { request, text, instructions, leave } = await shown(name, mode)
        for (const each of [request.text, text, instructions, leave ?? '']) {
          expect(each).not.toMatch(restricted)
        }
      }
    }
  })

  it('[ASK-7, ASK-2] is agreed to: a yes to a restriction approves nothing in advance', async () => {
    const { session, repertoire } = await shown('listing', 'restrict')
    await (await session.step({ tools: HOST })).call({ id: 'x', tool: 'deactivate_skill', input: {} }, () => undefined)
    const again = openAdapterSession(repertoire, { saved: session.save(), hostTools: HOST, enforcement: 'preapprove' })
    const call = { id: 'y', tool: 'activate_skill', input: { name: 'listing' } }
    const request = (await again.preview(call, { asks: true })).waits
    expect(request?.meaning).toContain('need no further approval')
    expect(code(await again.call(call, () => undefined))).toBe('CONSENT_DENIED')
    const restricted = openAdapterSession(repertoire, { saved: session.save(), hostTools: HOST })
    expect(code(await restricted.call(call, () => undefined))).toBe('ok')
  })

  it('[ASK-7, ACT-5] stays as it was shown in the reminder of a session that continues in another mode', async () => {
    const { session, repertoire, text } = await shown('listing', 'preapprove')
    const again = openAdapterSession(repertoire, { saved: session.save(), hostTools: HOST })
    expect(await reminderOf(again, (part) => text.includes(part))).toBeUndefined()
    expect(await reminderOf(again, () => false)).toBe(text)
  })
})
