//! Reads Borsh fields one by one. Returns `None` when the data is too short.

use solana_pubkey::Pubkey;

pub(crate) struct Reader<'a>(&'a [u8]);

impl<'a> Reader<'a> {
    /// A reader after `discriminator`. `None` when the data starts with another one.
    pub fn after(discriminator: &[u8; 8], bytes: &'a [u8]) -> Option<Self> {
        bytes.strip_prefix(discriminator).map(Self)
    }

    fn array<const N: usize>(&mut self) -> Option<[u8; N]> {
        let (field, rest) = self.0.split_first_chunk::<N>()?;
        self.0 = rest;
        Some(*field)
    }

    pub fn u8(&mut self) -> Option<u8> {
        self.array::<1>().map(|[byte]| byte)
    }

    pub fn u16(&mut self) -> Option<u16> {
        self.array().map(u16::from_le_bytes)
    }

    pub fn u64(&mut self) -> Option<u64> {
        self.array().map(u64::from_le_bytes)
    }

    pub fn i64(&mut self) -> Option<i64> {
        self.array().map(i64::from_le_bytes)
    }

    pub fn pubkey(&mut self) -> Option<Pubkey> {
        self.array().map(Pubkey::new_from_array)
    }

    /// `None` for any byte except 0 and 1.
    pub fn bool(&mut self) -> Option<bool> {
        match self.u8()? {
            0 => Some(false),
            1 => Some(true),
            _ => None,
        }
    }

    pub fn string(&mut self) -> Option<String> {
        let length = usize::try_from(self.array().map(u32::from_le_bytes)?).ok()?;
        let (text, rest) = self.0.split_at_checked(length)?;
        self.0 = rest;
        String::from_utf8(text.to_vec()).ok()
    }
}
