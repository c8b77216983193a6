export const metadata = { title: 'Chat with skills' }

export default function Layout({ children }: { children: React.ReactNode }) {
  return (
    <html lang="en">
      <body style={{ maxWidth: '40rem', margin: '2rem auto', fontFamily: 'sans-serif' }}>{children}</body>
    </html>
  )
}
