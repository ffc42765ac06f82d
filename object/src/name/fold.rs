//! What one component is to a volume that folds: the two folds, and their result. Why there are two:
//! `docs/decisions/0003-collision-keys.md`.

use std::borrow::Cow;
use std::fmt;

use icu_casemap::CaseMapper;
use icu_locale_core::LanguageIdentifier;
use icu_normalizer::DecomposingNormalizerBorrowed;
use objcap_walk::path;

/// A folded component: bytes to be compared, or read one by one. Of an ASCII name it is the name
/// itself, read in small letters, and takes no allocation.
#[derive(Clone)]
pub struct Folded<'n>(Form<'n>);

#[derive(Clone)]
enum Form<'n> {
    /// ASCII, which both folds make small.
    Ascii(&'n [u8]),
    /// Not UTF-8: as it is.
    Raw(&'n [u8]),
    Text(String),
}

impl Folded<'_> {
    /// The bytes, in order.
    pub fn bytes(&self) -> impl Iterator<Item = u8> + Clone {
        let (bytes, is_ascii) = match &self.0 {
            Form::Ascii(name) => (*name, true),
            Form::Raw(name) => (*name, false),
            Form::Text(text) => (text.as_bytes(), false),
        };
        bytes.iter().map(move |byte| match is_ascii {
            true => byte.to_ascii_lowercase(),
            false => *byte,
        })
    }

    /// The bytes, in a vector of their own.
    pub fn into_owned(self) -> Vec<u8> {
        match self.0 {
            Form::Ascii(name) => name.to_ascii_lowercase(),
            Form::Raw(name) => name.to_vec(),
            Form::Text(text) => text.into_bytes(),
        }
    }
}

impl PartialEq for Folded<'_> {
    fn eq(&self, other: &Self) -> bool {
        match (&self.0, &other.0) {
            (Form::Ascii(one), Form::Ascii(other)) => one.eq_ignore_ascii_case(other),
            _ => self.bytes().eq(other.bytes()),
        }
    }
}

impl Eq for Folded<'_> {}

/// For [`Memory::folding`](objcap_walk::Memory::folding).
impl<'n> From<Folded<'n>> for Cow<'n, [u8]> {
    fn from(folded: Folded<'n>) -> Self {
        match folded.0 {
            Form::Ascii(name) if !name.iter().any(u8::is_ascii_uppercase) => Cow::Borrowed(name),
            Form::Raw(name) => Cow::Borrowed(name),
            _ => Cow::Owned(folded.into_owned()),
        }
    }
}

impl fmt::Debug for Folded<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}`", path::display(&self.clone().into_owned()))
    }
}

/// The collision key of one component: `NFD(casefold(NFD(uppercase(NFD(name)))))`. A name that is
/// not UTF-8 is its own key.
///
/// It merges at least what any known volume merges, compatibility forms on some ZFS datasets excepted;
/// `docs/decisions/0003-collision-keys.md` lists the classes. A key is its own key.
pub fn fold(name: &[u8]) -> Folded<'_> {
    folded(name, |text| {
        let upper = CaseMapper::new().uppercase_to_string(text, &LanguageIdentifier::UNKNOWN);
        NFD.normalize(&upper).into_owned()
    })
}

/// What one component is on a volume that merges canonical caseless matches:
/// `NFD(casefold(NFD(name)))`, as The Unicode Standard, D145, has it.
pub fn caseless(name: &[u8]) -> Folded<'_> {
    folded(name, str::to_owned)
}

const NFD: DecomposingNormalizerBorrowed<'static> = DecomposingNormalizerBorrowed::new_nfd();

/// `NFD(casefold(before(NFD(name))))`.
fn folded(name: &[u8], before: fn(&str) -> String) -> Folded<'_> {
    if name.is_ascii() {
        return Folded(Form::Ascii(name));
    }
    let Ok(text) = std::str::from_utf8(name) else {
        return Folded(Form::Raw(name));
    };
    let prepared = before(&NFD.normalize(text));
    let folded = CaseMapper::new().fold_string(&prepared).into_owned();
    Folded(Form::Text(NFD.normalize(&folded).into_owned()))
}

/// Whether a path is another or lies below it, component by component, under one of the folds.
pub(super) fn is_within(
    path: &[u8],
    ancestor: &[u8],
    fold: for<'n> fn(&'n [u8]) -> Folded<'n>,
) -> bool {
    let mut names = path::components(path);
    path::components(ancestor).all(|above| {
        names
            .next()
            .is_some_and(|name| name == above || fold(name) == fold(above))
    })
}
