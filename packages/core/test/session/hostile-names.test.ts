import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  type ConsentRequest,
  type ForkRunner,
  LISTING_STYLES,
  type SkillSource,
  memorySource,
  openRepertoire,
  showName,
} from '../../src/index.ts'
import { abandonedCallText, failureText, openAdapterSession, subAgentFor, unattendedError } from '../../src/adapter.ts'
import { reminderOf } from './session-world.ts'
import { hooksBy } from './hook-runner.ts'

/** Invisible characters in a name. A line break is judged by `FORGED`: our own texts have several lines. */
const UNSEEN = /(?![\n\t])[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u
/** The same in prose, which is an error's or a program's: emoji and some languages need a joiner. */
const UNSEEN_IN_PROSE =
  /(?![\n\t]|\u200C|\u200D|[\uFE00-\uFE0F])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u
/** What a name with a line break would have a line begin with. */
const FORGED = 'FORGED'
const HOSTILE =
  '\n \r \t \0 \u001B[31m \u0007 \u007F \u0085 \u009B \u2028 \u2029 \u202E \u2066 \u200F \u061C \u{E0041}\u{E007F} \u200B \u200C \u200D \u2060 \uFEFF \uFE0F \u{E0100} \u00AD \u034F \u115F \u3164 \uFFF9 \u180E \uD83D " \\ < &'.split(
    ' ',
  )
const hostileName = fc
  .array(fc.constantFrom(...HOSTILE, 'a', 'é', '数', ' '), { minLength: 1, maxLength: 6 })
  .map((parts) => `x${parts.join('')}\n${FORGED}`)
/** As a file system may have it: no slash or NUL, and here no backslash, which paths of skills never hold. */
const fileName = hostileName.map((name) => name.replaceAll(/[\\\0/]/g, ''))

/** Where the hostile text is prose and not a name. */
const PROSE = /^(?:a broken fork|a failed hook|problem|diagnostic|hint|the result|an explanation)/

function judge(where: string, text = ''): void {
  const unseen = PROSE.test(where) ? UNSEEN_IN_PROSE : UNSEEN
  // What a sub-agent returns is content: it has as many lines as it likes, inside of its element.
  const isContent = where.startsWith('the result')
  const judged = isContent ? text.replaceAll(/[\u2028\u2029]/g, '\n') : text
  const forged = isContent ? [] : text.split('\n').filter((line) => line.startsWith(FORGED))
  expect({ where, said: text !== '', unseen: unseen.exec(judged)?.[0], forged }).toEqual({
    where,
    said: true,
    forged: [],
  })
}

const messageOf = (error: unknown): string => (error as Error).message

const manifest = (name: string, fields = ''): string =>
  `---\nname: ${name}\ndescription: The skill ${name}.\n${fields}---\nBody.\n`

/** Everything that a session and a catalog say with one hostile text as names, paths, errors and results. */
async function everythingSaid(hostile: string, file: string): Promise<Readonly<Record<string, string | undefined>>> {
  const skills = {
    odd: { 'SKILL.md': manifest('odd'), [`references/${file}`]: 'text', [`scripts/${file}.sh`]: 'echo' },
    forked: { 'SKILL.md': manifest('forked', 'context: fork\n') },
    hooked: { 'SKILL.md': manifest('hooked', 'hooks:\n  pre: pre.sh\n'), 'pre.sh': '' },
    cleaned: { 'SKILL.md': manifest('cleaned', 'hooks:\n  post: post.sh\n'), 'post.sh': '' },
    broken: { 'SKILL.md': 'no fence' },
  }
  const failing: SkillSource = {
    id: `failing ${hostile}`,
    layer: 'project',
    *scan() {
      const [path, message] = [`/s/${hostile}`, `Cannot read ${hostile}.`]
      yield { code: 'FOLDER_UNREADABLE', severity: 'error', path, message, hint: hostile }
      throw new Error(hostile)
    },
  }
  const repertoire = await openRepertoire({
    sources: [memorySource({ layer: 'project', id: `m${hostile}`, skills }), failing],
    scripts: hooksBy(({ script }) => {
      if (script === 'post.sh') throw new Error(hostile)
      return { ok: false, output: hostile }
    }),
  })
  const lists = LISTING_STYLES.map(async (style) => {
    const sources = [memorySource({ layer: 'project', id: `m${hostile}`, skills })]
    const listing = openAdapterSession(await openRepertoire({ sources, listing: { style } }), {
      onProblem: () => undefined,
    })
    return [`a list as ${style}`, (await listing.step({ tools: [] })).instructions] as const
  })
  const asked: ConsentRequest[] = []
  const problems: string[] = []
  const session = openAdapterSession(repertoire, {
    hostTools: ['Read', 'Bash'],
    consent: (request) => asked.push(request) > 0,
    onProblem: ({ message }) => problems.push(message),
    policy: { protect: [hostile.trim()] },
  })
  let count = 0
  const said = async (tool: string, input: unknown, fork?: ForkRunner): Promise<string | undefined> => {
    const outcome = await session.call({ id: `c${count++}`, tool, input }, () => 'ran', { fork })
    return outcome.text
  }
  const forkSays =
    (work: () => string): ForkRunner =>
    async () =>
      work()
  const failed = (): never => {
    throw new Error(hostile)
  }
  return {
    'a broken fork': await said('activate_skill', { name: 'forked' }, forkSays(failed)),
    'the result of a fork': await said(
      'activate_skill',
      { name: 'forked' },
      forkSays(() => hostile),
    ),
    'a failed hook': await said('activate_skill', { name: 'hooked' }),
    'a skill that is not there': await said('activate_skill', { name: hostile }),
    'an input that is text': await said('activate_skill', hostile),
    'an activation': await said('activate_skill', { name: 'odd' }),
    'a second activation': await said('activate_skill', { name: 'odd' }),
    'a file that is not there': await said('read_skill_resource', { path: `references/${file}no` }),
    'a path that is none': await said('read_skill_resource', { path: `../${hostile}` }),
    'lines that are not there': await said('read_skill_resource', { path: `references/${showName(file)}`, from: 9 }),
    'a file': await said('read_skill_resource', { path: `references/${showName(file)}` }),
    'a script': await said('read_skill_resource', { path: `scripts/${showName(file)}.sh` }),
    'a skill that is not active': await said('read_skill_resource', { path: 'a.md', skill: hostile }),
    'a deactivation': await said('deactivate_skill', { name: hostile }),
    'an unknown tool': await said(hostile, {}),
    'a deep input': await said(hostile, JSON.parse('['.repeat(300) + ']'.repeat(300))),
    'a script that a tool reads': await said('Read', { file_path: `${asked.at(-1)?.location}/scripts/${file}.sh` }),
    'a protected file': await said('Read', { file_path: hostile.trim() }),
    'a cleaned skill': await said('activate_skill', { name: 'cleaned' }),
    'a failed hook after it': await said('deactivate_skill', {}),
    ...Object.fromEntries(asked.map(({ text }, index) => [`question ${index}`, text])),
    ...Object.fromEntries(problems.map((message, index) => [`problem ${index}`, message])),
    ...Object.fromEntries(
      repertoire.catalog.diagnostics.flatMap(({ message, hint = '' }, index) => [
        [`diagnostic ${index}`, message],
        [`hint ${index}`, hint],
      ]),
    ),
    'an explanation of nothing': repertoire.explain(hostile).text,
    'an explanation': repertoire.explain('odd').text,
    'a missing skill': await repertoire.load(hostile).then(String, messageOf),
    'a broken skill': repertoire.explain('broken').text,
    'a reminder': await reminderOf(session, () => false),
    ...Object.fromEntries(await Promise.all(lists)),
  }
}

describe('a text with a hostile name in it', () => {
  it('[ABUSE-117, ABUSE-118, ABUSE-93] shows every character of it: in lists, activations, files, refusals, questions and logs', async () => {
    await fc.assert(
      fc.asyncProperty(hostileName, fileName, async (hostile, file) => {
        for (const [where, text] of Object.entries(await everythingSaid(hostile, file))) judge(where, text)
      }),
      { numRuns: 40 },
    )
  })

  it('[ABUSE-117, ABUSE-118] shows every character of it without a session: in texts of adapters', () => {
    fc.assert(
      fc.property(hostileName, (hostile) => {
        const thrown = (): string => {
          try {
            const request = { agent: `no ${hostile}`, reportModel: () => undefined }
            return subAgentFor(request, { subagents: { [hostile]: {} }, parentModel: '' }).model
          } catch (error) {
            return messageOf(error)
          }
        }
        const texts = {
          'an abandoned call': abandonedCallText(hostile),
          'an unattended call': unattendedError(hostile).message,
          'an unknown agent': thrown(),
        }
        for (const [where, text] of Object.entries(texts)) judge(where, text)
        // The message of an error is its own text: its lines are kept, and its invisible characters are not.
        expect(failureText(new Error(hostile))).not.toMatch(UNSEEN_IN_PROSE)
      }),
    )
  })

  it('[ABUSE-117, ASK-4] names in the consent request every file with a hidden character in its name, also one that is not run', async () => {
    const said = await everythingSaid(`x\n${FORGED}`, 'a\u202Eb')
    expect(said['question 2']).toContain(String.raw`odd names:     references/a\u{202E}b, scripts/a\u{202E}b.sh`)
  })
})
