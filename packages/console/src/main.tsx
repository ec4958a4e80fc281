/** The entry: before anything is drawn, a token is taken out of the address. */
import { render } from 'preact'
import { App } from './app.tsx'
import { language } from './i18n.ts'
import { takeTokenFromAddress } from './session.ts'
import { applyTheme } from './theme.ts'

takeTokenFromAddress()
applyTheme()
document.documentElement.lang = language.value
const place = document.getElementById('app')
if (place !== null) render(<App />, place)
