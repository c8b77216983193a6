import { clientConsentRequest, type ConsentRequest } from '@repertoire/core'
import type { StreamTextTransform, TextStreamPart, ToolSet } from 'ai'

type Part = TextStreamPart<ToolSet>
type CallPart = Extract<Part, { type: 'tool-call' }>

/** The `toolMetadata` of a call that waits for consent: what a page needs to show the request. */
export function consentMetadata(request: ConsentRequest): NonNullable<CallPart['toolMetadata']> {
  return { consent: { ...clientConsentRequest(request) } as NonNullable<CallPart['toolMetadata']> }
}

/** Puts consent requests into the stream of a run. */
export interface ConsentParts {
  readonly transform: StreamTextTransform<ToolSet>
  /** Called when it is decided whether a call waits for consent. */
  readonly decided: (callId: string, request: ConsentRequest | undefined) => void
}

/**
 * Adds the consent request of a call to its part, as `toolMetadata.consent`: AI SDK itself passes on nothing but a text.
 * AI SDK sends the part before it asks, so the part is held until it is decided.
 */
export function createConsentParts(): ConsentParts {
  const requests = new Map<string, ConsentRequest | undefined>()
  let release: ((callId: string) => void) | undefined

  function transform({ tools }: { readonly tools: ToolSet }): TransformStream<Part, Part> {
    let held: CallPart | undefined
    const pass = (controller: TransformStreamDefaultController<Part>): void => {
      if (held === undefined) return
      const request = requests.get(held.toolCallId)
      controller.enqueue(
        request === undefined ? held : { ...held, toolMetadata: { ...held.toolMetadata, ...consentMetadata(request) } },
      )
      held = undefined
    }
    return new TransformStream<Part, Part>({
      start(controller) {
        release = (callId) => {
          if (held?.toolCallId === callId) pass(controller)
        }
      },
      transform(part, controller) {
        pass(controller)
        if (part.type !== 'tool-call') {
          controller.enqueue(part)
          return
        }
        held = part
        const isAskedAbout = part.invalid !== true && Object.hasOwn(tools, part.toolName)
        if (!isAskedAbout || requests.has(part.toolCallId)) pass(controller)
      },
      flush: pass,
    })
  }

  return {
    transform,
    decided(callId, request) {
      requests.set(callId, request)
      try {
        release?.(callId)
      } catch {
        // Nobody reads the stream any more.
      }
    },
  }
}
