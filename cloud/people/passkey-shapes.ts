// What a browser and the relay send each other about passkeys. Types alone: the library behind them is loaded when somebody uses a passkey.
export type {
  AuthenticationResponseJSON,
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
  RegistrationResponseJSON,
} from '@simplewebauthn/server'
