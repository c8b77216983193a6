import { activate, openModelEndpoint, say, type ScriptStep } from '@repertoire/conformance'
import process from 'node:process'

/** What the scripted model activates, by a word of the message. */
const CHOICES: Readonly<Record<string, string>> = { broken: 'refunds', return: 'refunds', parcel: 'orders' }

/** Activates the skill of the first word that it knows. */
const step: ScriptStep = ({ messages: [first, ...later] }) => {
  const found = Object.entries(CHOICES).find(([word]) => first.text.includes(word))
  return found === undefined || later.length > 0 ? say('Done.') : activate(found[1])
}

/** The provider that is recorded: a real one if the environment has a key, otherwise a model that plays a script. */
export async function openProvider() {
  const { OPENAI_API_KEY: apiKey, OPENAI_BASE_URL: baseURL = 'https://api.openai.com/v1' } = process.env
  if (apiKey !== undefined) return { provider: { baseURL, apiKey }, close: async () => {} }
  const endpoint = await openModelEndpoint()
  const { baseURL: address, apiKey: key } = endpoint.play(Array.from({ length: 100 }, () => step))
  return { provider: { baseURL: address, apiKey: key }, close: () => endpoint.close() }
}
