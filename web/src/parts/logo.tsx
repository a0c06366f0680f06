export function Logo() {
  return (
    <svg width="26" height="26" viewBox="0 0 26 26" aria-hidden="true" className="logo">
      <rect width="26" height="26" rx="7" />
      <path d="M5 20C13 20 19 16 21 6" />
      <circle cx="16.2" cy="15.2" r="2.6" />
    </svg>
  );
}
