import { expect, it } from 'vitest'
import { openAdapterSession } from '../../src/adapter.ts'
import { memorySource, openRepertoire } from '../../src/index.ts'
import { messagesOf } from './turns-example.ts'

const manifest = (name: string, fields: string, body: string) => ({
  'SKILL.md': `---\nname: ${name}\ndescription: Is ${name}.\n${fields}---\n${body}\n`,
})

it('[ADPT-4, ACT-11, ACT-12] shows on the page of turns a program that invokes and suggests', async () => {
  const skills = {
    tidy: manifest('tidy', 'triggers: [chaos]\n', 'Tidy $1, all of "$ARGUMENTS".'),
    secret: manifest('secret', 'disable-model-invocation: true\n', 'For people.'),
  }
  const repertoire = await openRepertoire({ sources: [memorySource({ layer: 'project', skills })] })
  const session = openAdapterSession(repertoire, { consent: () => true })
  const contents = async (text: string) => (await messagesOf(session, text)).map(({ content }) => content)
  expect(await contents('Hello.')).toEqual(['Hello.'])
  expect(await contents('What a chaos!')).toEqual(['What a chaos!', expect.stringContaining('"tidy"')])
  expect(await contents('/tidy "my desk" now')).toEqual([
    '/tidy "my desk" now',
    expect.stringContaining('Tidy my desk, all of ""my desk" now".'),
  ])
  expect(await contents('/secret')).toEqual(['/secret', expect.stringContaining('For people.')])
})

it('[ACT-11] suggests as many skills by one message as the page of turns says', async () => {
  const skills = Object.fromEntries(
    [1, 2, 3, 4, 5, 6].map((n) => [`tidy-${n}`, manifest(`tidy-${n}`, 'triggers: [chaos]\n', 'Tidy.')]),
  )
  const repertoire = await openRepertoire({ sources: [memorySource({ layer: 'project', skills })] })
  expect((await openAdapterSession(repertoire).beginTurn('chaos')).suggested).toHaveLength(5)
})

it('[ACT-9] fills the places that the page of turns lists, and leaves what is none', async () => {
  const body = '$ARGUMENTS[0] \\$1 [$ARGUMENTS[7]] $7 $5K $1.50'
  const sources = [memorySource({ layer: 'project', skills: { tidy: manifest('tidy', '', body) } })]
  const session = openAdapterSession(await openRepertoire({ sources }), { consent: () => true })
  const { text } = await session.beginTurn('/tidy desk')
  expect(text).toContain('desk $1 [] $7 $5K $1.50')
})
