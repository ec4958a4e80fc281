// The start page: tells whether the server is ready, in the language of the browser.
const texts = {
  en: { ready: 'The server is ready.', down: 'The server is not ready.', silent: 'No answer.' },
  ja: {
    ready: 'サーバーは稼働中です。',
    down: 'サーバーは準備中です。',
    silent: '応答がありません。',
  },
}

const language = navigator.language.startsWith('ja') ? 'ja' : 'en'
const health = document.getElementById('health')
document.documentElement.lang = language

async function look() {
  try {
    const response = await fetch('/_kumoi/v1/health/ready')
    show(response.ok ? 'ready' : 'down', texts[language][response.ok ? 'ready' : 'down'])
  } catch {
    show('down', texts[language].silent)
  }
}

function show(state, text) {
  health.dataset.state = state
  health.textContent = text
}

await look()
setInterval(look, 5000)
