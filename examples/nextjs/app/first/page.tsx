import { Chat } from '@/app/chat'

export default function Page() {
  return <Chat />
}
