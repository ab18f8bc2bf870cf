// Mantine, configured for our pages: colours that pass WCAG AA in light and dark, labels for unlabelled controls, no <style> elements at run time (the CSP of the pages allows none).
import { createTheme, type ModalProps, type PasswordInputProps } from '@mantine/core'
import '@mantine/core/styles/baseline.css'
import '@mantine/core/styles/default-css-variables.css'
import '@mantine/core/styles/global.css'
import '@mantine/core/styles/UnstyledButton.css'
import '@mantine/core/styles/ActionIcon.css'
import '@mantine/core/styles/Alert.css'
import '@mantine/core/styles/Button.css'
import '@mantine/core/styles/Checkbox.css'
import '@mantine/core/styles/CloseButton.css'
import '@mantine/core/styles/Group.css'
import '@mantine/core/styles/InlineInput.css'
import '@mantine/core/styles/Input.css'
import '@mantine/core/styles/Loader.css'
import '@mantine/core/styles/Modal.css'
import '@mantine/core/styles/ModalBase.css'
import '@mantine/core/styles/Overlay.css'
import '@mantine/core/styles/Paper.css'
import '@mantine/core/styles/PasswordInput.css'
import '@mantine/core/styles/Stack.css'
import '@mantine/core/styles/Switch.css'
import '@mantine/core/styles/Text.css'
// After Text: an anchor is a text, so its own rules must come second.
import '@mantine/core/styles/Anchor.css'
import '@mantine/core/styles/Title.css'
import './theme.css'

/** Texts of components for screen readers. */
export interface ThemeWords {
  close: string
  showPassword: string
}

/** @param words in the language of the page */
export function themeWith(words: ThemeWords) {
  return createTheme({
    fontFamily: 'var(--ui-font)',
    defaultRadius: 'md',
    components: {
      // Not with `Modal.extend`, which would add dialogs to the initial bundle of every page.
      Modal: {
        // The scroll lock would add a <style> element, which the CSP refuses.
        defaultProps: {
          closeButtonProps: { 'aria-label': words.close },
          lockScroll: false,
          centered: true,
        } satisfies Partial<ModalProps>,
      },
      PasswordInput: {
        defaultProps: {
          visibilityToggleButtonProps: { 'aria-label': words.showPassword },
        } satisfies Partial<PasswordInputProps>,
      },
    },
  })
}
