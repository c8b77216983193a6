import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { loopDriver } from '../loop-driver.ts'
import { checkOf } from '../one-check.ts'
import { checkDriver } from '../../src/driver-rules.ts'
import type { Variant } from '../../src/driver.ts'
import { type ModelEndpoint, openModelEndpoint } from '../../src/endpoint/endpoint.ts'
import { nativeTools } from '../../src/endpoint/openai/native-tools.ts'
import type { ProtocolName } from '../../src/endpoint/protocols.ts'

let endpoint: ModelEndpoint
beforeAll(async () => {
  endpoint = await openModelEndpoint()
})
afterAll(() => endpoint.close())

describe('a play', () => {
  test.each<[ProtocolName | undefined, RegExp, string]>([
    [undefined, /\/play\/\d+\/v1$/, 'conformance-model'],
    ['openai', /\/play\/\d+\/v1$/, 'conformance-model'],
    ['openai-responses', /\/play\/\d+\/v1$/, 'gpt-5-conformance'],
    ['anthropic', /\/play\/\d+$/, 'claude-conformance'],
    ['gemini', /\/play\/\d+$/, 'gemini-3-conformance'],
  ])('[LLM-1] of the protocol %s has an address and a model as its vendor has them', (protocol, address, model) => {
    const play = endpoint.play([], { protocol })
    expect(play.baseURL).toMatch(address)
    expect(play.model).toBe(model)
  })

  test('[LLM-1] of an unknown protocol is refused, and so is a dialect of another protocol than chat completions', () => {
    const unknown = 'constructor' as ProtocolName
    expect(() => endpoint.play([], { protocol: unknown })).toThrow(
      new TypeError('The protocol is "constructor". Known are openai, openai-responses, anthropic, gemini.'),
    )
    expect(() => endpoint.play([], { protocol: 'gemini', dialect: nativeTools })).toThrow(/the protocol is "gemini"/)
    expect(() => endpoint.play([], { protocol: 'openai-responses', dialect: nativeTools })).toThrow(
      /the protocol is "openai-responses"/,
    )
    expect(() => endpoint.play([], { protocol: 'openai', dialect: nativeTools })).not.toThrow()
  })
})

describe('a driver', () => {
  const checks = [checkOf(async () => {})]
  const check = (...variants: object[]) =>
    checkDriver(loopDriver({ variants: variants as unknown as [Variant, ...Variant[]] }), checks)

  test('[LLM-1] may name a protocol for each variant', () => {
    expect(() =>
      check(
        { name: 'a' },
        { name: 'b', protocol: 'anthropic' },
        { name: 'c', protocol: 'gemini' },
        { name: 'd', protocol: 'openai-responses' },
      ),
    ).not.toThrow()
  })

  test.each<[string, object, RegExp]>([
    ['an unknown protocol', { protocol: 'cohere' }, /variants\[1\]: `protocol` is "cohere"/],
    ['a protocol that is not text', { protocol: 7 }, /variants\[1\]: `protocol` is 7/],
    ['a dialect beside another protocol', { protocol: 'gemini', dialect: nativeTools }, /Leave one of the two out/],
    ['a known failure of no check', { known: { tow: 'x' } }, /lists "tow" as known, and no check/],
    ['a known failure without a reason', { known: { one: '' } }, /variants\[1\]: `known\.one` is empty. Give a reason/],
  ])('[LLM-1, CONF-2] is refused for a variant with %s', (_, wrong, message) => {
    expect(() => check({ name: 'a' }, { name: 'b', ...wrong })).toThrow(TypeError)
    expect(() => check({ name: 'a' }, { name: 'b', ...wrong })).toThrow(message)
  })
})
