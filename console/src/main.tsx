import { render } from 'solid-js/web'
import './styles/index.css'
import { App } from './app/app.tsx'
import { followLinks } from './context/router.ts'
import { applyTheme } from './context/theme.ts'
import { loadMessages } from './i18n/translate.ts'
import { followMissingParts } from './ui/missing-parts.ts'
import { startTooltips } from './ui/tooltip.ts'
import { followTyping } from './ui/typed-text.ts'

applyTheme()
followLinks()
followMissingParts()
followTyping()
startTooltips()
const root = document.getElementById('root')
if (root) void loadMessages().then(() => render(() => <App />, root))
