import { showInvisible } from '@repertoire/skill-md/internal'
import type { CallConsentRequest, ConsentRequest, SkillConsentRequest } from '../../ports/consent.ts'
import { textWithoutPlaces } from './request-text.ts'

/** A consent request for a client, such as a web page: JSON with visible characters. Answer with its `id`. */
export type ClientConsentRequest = ClientSkillRequest | ClientCallRequest

/** A request to activate a skill, or to execute it, without what is the server's own. */
export interface ClientSkillRequest extends Omit<SkillConsentRequest, 'session' | 'callId' | 'source' | 'location'> {
  readonly kind: 'activation' | 'execution'
}

/** A request to call a tool that the host's policy asks about. */
export interface ClientCallRequest extends Pick<CallConsentRequest, 'id' | 'tool' | 'input' | 'rule' | 'text'> {
  readonly kind: 'call'
}

/**
 * Returns a consent request as data and text for a client. The skill's source and location, notes of the runner and
 * internal ids are left out. What the skill and the model wrote stays, and may hold other paths of the server.
 * @example
 * response.json(clientConsentRequest(request))
 */
export function clientConsentRequest(request: ConsentRequest): ClientConsentRequest {
  if (request.skill === undefined) {
    const { id, tool, input, rule, text } = request
    return { ...(asJson({ kind: 'call', id, tool, input, rule }) as ClientCallRequest), text }
  }
  const { session: _, callId: _call, source: _source, location, runner, ...shown } = request
  const folder = wholePath(location)
  const replace = (text: string): string => text.replaceAll(folder, () => `skill:${request.skill}`)
  const kind = request.execution === undefined ? 'activation' : 'execution'
  const data = asJson({ ...shown, kind, runner: runner && { ...runner, notes: [] } }, replace) as ClientSkillRequest
  return { ...data, text: replace(textWithoutPlaces(request)) }
}

/** Matches a path, but not a part of a longer name: `/srv/app` is not in `/srv/apple` or `/x/srv/app`. */
function wholePath(path: string): RegExp {
  const escaped = path.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`)
  return new RegExp(String.raw`(?<![\w.-])${escaped}(?![\w-]|\.\w)`, 'g')
}

/** A copy as JSON, in which every text is replaced and visible. What is not JSON is `null`. */
function asJson(value: unknown, replace = (text: string): string => text): unknown {
  const shown = (text: string): string => showInvisible(replace(text))
  const copy = (each: unknown): unknown => {
    if (typeof each === 'string') return shown(each)
    if (Array.isArray(each)) return each.map(copy)
    if (typeof each !== 'object' || each === null) return each
    return Object.fromEntries(Object.entries(each).map(([name, item]) => [shown(name), copy(item)]))
  }
  try {
    return copy(JSON.parse(JSON.stringify(value) ?? 'null'))
  } catch {
    return null
  }
}
