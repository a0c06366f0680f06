//! Values by their bytes: one after the other, little endian, as Borsh and the runtime's C structures have them.

use alloc::{string::String, vec::Vec};

use bytemuck::Pod;
use solana_address::Address;

/// A value that can be read from the beginning of bytes.
pub trait Read: Sized {
    /// Takes the value off the beginning. `None` when the bytes are too few or are no such value.
    fn read(bytes: &mut &[u8]) -> Option<Self>;
}

/// A value that always has the same number of bytes.
pub trait Fixed: Read {
    /// The bytes, with no alignment.
    type Bytes: Pod;

    /// Writes the value.
    fn bytes(self) -> Self::Bytes;
}

fn take<const N: usize>(bytes: &mut &[u8]) -> Option<[u8; N]> {
    let (field, rest) = bytes.split_first_chunk::<N>()?;
    *bytes = rest;
    Some(*field)
}

macro_rules! numbers {
    ($($number:ident)*) => { $(
        impl Read for $number {
            fn read(bytes: &mut &[u8]) -> Option<Self> {
                take(bytes).map(Self::from_le_bytes)
            }
        }

        impl Fixed for $number {
            type Bytes = [u8; size_of::<Self>()];

            #[inline(always)]
            fn bytes(self) -> Self::Bytes {
                self.to_le_bytes()
            }
        }
    )* };
}

numbers! { u16 u64 i64 }

impl Read for u8 {
    fn read(bytes: &mut &[u8]) -> Option<Self> {
        take(bytes).map(|[byte]| byte)
    }
}

impl Fixed for u8 {
    type Bytes = u8;

    #[inline(always)]
    fn bytes(self) -> u8 {
        self
    }
}

/// Any byte except 0 and 1 is no value.
impl Read for bool {
    fn read(bytes: &mut &[u8]) -> Option<Self> {
        match u8::read(bytes)? {
            0 => Some(false),
            1 => Some(true),
            _ => None,
        }
    }
}

impl Fixed for bool {
    type Bytes = u8;

    #[inline(always)]
    fn bytes(self) -> u8 {
        u8::from(self)
    }
}

impl Read for Address {
    fn read(bytes: &mut &[u8]) -> Option<Self> {
        take(bytes).map(Self::new_from_array)
    }
}

impl Fixed for Address {
    type Bytes = Self;

    #[inline(always)]
    fn bytes(self) -> Self {
        self
    }
}

/// Its length in four bytes, then its UTF-8.
impl Read for String {
    fn read(bytes: &mut &[u8]) -> Option<Self> {
        let length = usize::try_from(u32::from_le_bytes(take(bytes)?)).ok()?;
        let (text, rest) = bytes.split_at_checked(length)?;
        *bytes = rest;
        Self::from_utf8(Vec::from(text)).ok()
    }
}

/// Declares a type that begins with a discriminator, and how it is read, from its list of fields.
macro_rules! tagged {
    ($(#[$doc:meta])* $name:ident = $discriminator:tt { $($(#[$field_doc:meta])* $field:ident: $type:ident,)* }) => {
        $(#[$doc])*
        #[derive(Debug, Clone, PartialEq, Eq)]
        pub struct $name {
            $($(#[$field_doc])* pub $field: $type,)*
        }

        impl $name {
            /// Discriminator: the first 8 bytes.
            pub const DISCRIMINATOR: [u8; 8] = $discriminator;
        }

        impl Read for $name {
            fn read(bytes: &mut &[u8]) -> Option<Self> {
                *bytes = bytes.strip_prefix(&Self::DISCRIMINATOR)?;
                Some(Self { $($field: Read::read(bytes)?,)* })
            }
        }
    };
}

/// The same for a type whose fields all have a fixed size, and its bytes.
macro_rules! fixed {
    (
        $(#[$doc:meta])*
        $name:ident / $bytes:ident = $discriminator:tt { $($(#[$field_doc:meta])* $field:ident: $type:ident,)* }
    ) => {
        tagged! { $(#[$doc])* #[derive(Copy)] $name = $discriminator { $($(#[$field_doc])* $field: $type,)* } }

        #[doc = concat!("A [`", stringify!($name), "`] as it lies in memory: without padding and alignment.")]
        #[repr(C)]
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Pod, Zeroable)]
        pub struct $bytes {
            /// Tells the types apart.
            pub discriminator: [u8; 8],
            $($(#[$field_doc])* pub $field: <$type as Fixed>::Bytes,)*
        }

        impl $name {
            /// Size in bytes, including the discriminator.
            pub const SIZE: usize = size_of::<$bytes>();

            /// Writes it.
            #[inline(always)]
            pub fn bytes(&self) -> $bytes {
                $bytes { discriminator: Self::DISCRIMINATOR, $($field: Fixed::bytes(self.$field),)* }
            }
        }
    };
}
