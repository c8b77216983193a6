import { type Fault, handlerOf } from './break.ts'

export const askedCallsFaults: readonly Fault[] = [
  {
    wrong: 'asks about activations alone',
    caughtBy: ['consent-call-suspends'],
    session: (session) => ({
      openConsent: async (call, options) => {
        const request = await session.openConsent(call, options)
        return request?.tool === undefined ? request : undefined
      },
    }),
  },
  {
    wrong: 'agrees to every call that was agreed to once',
    caughtBy: ['consent-call-asked'],
    options: ({ consent, ...options }) => {
      const known = new Set<string>()
      return {
        ...options,
        ...(handlerOf(consent) && {
          consent: async (request, asking) => {
            const key = JSON.stringify(request.input)
            if (request.tool !== undefined && known.has(key)) return true
            const answer = await handlerOf(consent)!(request, asking)
            if (answer === true) known.add(key)
            return answer
          },
        }),
      }
    },
  },
]
