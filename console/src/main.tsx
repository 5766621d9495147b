import { render } from 'solid-js/web'
import './style.css'
import { App } from './app/app.tsx'
import { followLinks } from './context/router.ts'
import { applyTheme } from './context/theme.ts'
import { loadMessages } from './i18n/translate.ts'

applyTheme()
followLinks()
const root = document.getElementById('root')
if (root) void loadMessages().then(() => render(() => <App />, root))
