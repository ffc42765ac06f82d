//! Calls about names: giving, moving, exchanging and taking them.

use objcap_walk::{Kind, Leaf};
use sbpl::Operation;

use super::Planner;
use crate::mac::act::{Act, Spot};
use crate::mac::answer::{Effect, Errno};
use crate::mac::choices::{
    CloneAsks, ExchangeAsks, FolderCloneAsks, LinkAsks, RenameAsks, SwapAsks,
};
use crate::mac::lookup::Landing;
use crate::mac::node::Wish;
use crate::mac::{Ino, Name};

impl Planner<'_> {
    pub(super) fn link(&mut self, from: &Name, to: &Name, leaf: Leaf) -> Result<Act, Errno> {
        let source = self.look_up(from, leaf)?;
        let ino = source.object()?;
        let kind = self.mac.kind(ino);
        if kind == Kind::Directory {
            return Err(Errno::PERM);
        }
        let target = self.look_up(to, Leaf::AsNamed)?;
        let spot = self.new_spot(&target, kind)?;
        let asks = self.asking.choices().link;
        if asks != LinkAsks::Create {
            self.ask(Operation::FileLink, &source);
        }
        if asks == LinkAsks::WriteToo {
            self.ask(Operation::FileWriteData, &source);
        }
        self.asking.create(self.mac, spot.folder, &spot.name, kind);
        self.permit_entry(spot.folder)?;
        self.same_volume(ino, spot.folder)?;
        Ok(Act::Name(ino, spot))
    }

    pub(super) fn clone(&mut self, from: &Name, to: &Name, leaf: Leaf) -> Result<Act, Errno> {
        let source = self.look_up(from, leaf)?;
        let ino = source.object()?;
        let kind = self.mac.kind(ino);
        let target = self.look_up(to, Leaf::AsNamed)?;
        let spot = self.new_spot(&target, kind)?;
        let choices = self.asking.choices();
        // Asked for the folder alone: what lies below comes along.
        let asks = match choices.folder_clone {
            FolderCloneAsks::Clone if kind == Kind::Directory => CloneAsks::Clone,
            _ => choices.clone,
        };
        if asks != CloneAsks::Read {
            self.ask(Operation::FileClone, &source);
        }
        if asks != CloneAsks::Clone {
            self.ask(Operation::FileReadData, &source);
        }
        self.asking.create(self.mac, spot.folder, &spot.name, kind);
        self.permit_entry(spot.folder)?;
        if !matches!(kind, Kind::Directory | Kind::File | Kind::Symlink) {
            return Err(Errno::INVAL);
        }
        if kind != Kind::Symlink {
            self.permit(ino, Wish::Read)?;
        }
        self.same_volume(ino, spot.folder)?;
        if kind == Kind::Directory && self.mac.is_within(spot.folder, ino) {
            return Err(Errno::INVAL);
        }
        Ok(Act::Clone(ino, spot))
    }

    pub(super) fn rename(&mut self, from: &Name, to: &Name) -> Result<Act, Errno> {
        let source = self.look_up(from, Leaf::AsNamed)?;
        let (old, ino) = named(&source)?;
        let target = self.look_up(to, Leaf::AsNamed)?;
        let (new, replaced) = match &target {
            Landing::Folder(_) => return Err(Errno::INVAL),
            Landing::Entry {
                folder,
                name,
                found,
                slash,
            } => {
                if *slash && self.mac.kind(ino) != Kind::Directory {
                    return Err(Errno::NOTDIR);
                }
                (Spot::new(*folder, name), *found)
            }
        };
        if std::str::from_utf8(&new.name).is_err() {
            return Err(Errno::ILSEQ);
        }
        let asks = self.asking.choices().rename;
        self.ask(Operation::FileWriteUnlink, &source);
        // Another spelling of the old name replaces nothing.
        let respelled = replaced == Some(ino) && self.is_one_entry(&old, &new);
        let gone = replaced.filter(|_| !respelled);
        if asks == RenameAsks::ReplaceAndCreate && gone.is_some() {
            self.ask(Operation::FileWriteUnlink, &target);
        }
        if asks != RenameAsks::Nothing {
            let kind = self.mac.kind(ino);
            self.asking.create(self.mac, new.folder, &new.name, kind);
        }
        self.permit_taking(old.folder, ino)?;
        self.permit_entry(new.folder)?;
        self.same_volume(ino, new.folder)?;
        if self.mac.is_within(new.folder, ino) {
            return Err(Errno::INVAL);
        }
        let Some(gone) = gone else {
            return Ok(Act::Move(old, new));
        };
        if gone == ino {
            // Two names of one file: nothing happens (rename(2)).
            return Ok(Act::Nothing(Effect::None));
        }
        self.permit_taking(new.folder, gone)?;
        let is_folder = |ino| self.mac.kind(ino) == Kind::Directory;
        match (is_folder(ino), is_folder(gone)) {
            (true, false) => return Err(Errno::NOTDIR),
            (false, true) => return Err(Errno::ISDIR),
            (true, true) if self.mac.names_in(gone).next().is_some() => {
                return Err(Errno::NOTEMPTY);
            }
            _ => {}
        }
        Ok(Act::Move(old, new))
    }

    /// Whether two spots are spellings of one name.
    fn is_one_entry(&self, one: &Spot, other: &Spot) -> bool {
        let key = |spot: &Spot| {
            let entry = self.mac.entry(spot.folder, &spot.name);
            entry.map(|entry| &entry.name)
        };
        one.folder == other.folder && key(one) == key(other)
    }

    pub(super) fn swap(&mut self, one: &Name, other: &Name) -> Result<Act, Errno> {
        let landings = [
            self.look_up(one, Leaf::AsNamed)?,
            self.look_up(other, Leaf::AsNamed)?,
        ];
        let [(one, first), (other, second)] = [named(&landings[0])?, named(&landings[1])?];
        let asks = self.asking.choices().swap;
        for landing in &landings {
            self.ask(Operation::FileWriteUnlink, landing);
        }
        if asks == SwapAsks::UnlinkAndCreate {
            for (landing, ino) in landings.iter().zip([second, first]) {
                let kind = self.mac.kind(ino);
                if let Landing::Entry { folder, name, .. } = landing {
                    self.asking.create(self.mac, *folder, name, kind);
                }
            }
        }
        self.permit_taking(one.folder, first)?;
        self.permit_taking(other.folder, second)?;
        self.same_volume(first, other.folder)?;
        self.same_volume(second, one.folder)?;
        if first == second {
            return Ok(Act::Nothing(Effect::None));
        }
        if self.mac.is_within(other.folder, first) || self.mac.is_within(one.folder, second) {
            return Err(Errno::INVAL);
        }
        Ok(Act::Swap([one, other], [first, second]))
    }

    pub(super) fn exchange(&mut self, one: &Name, other: &Name) -> Result<Act, Errno> {
        let landings = [
            self.look_up(one, Leaf::Follow)?,
            self.look_up(other, Leaf::Follow)?,
        ];
        let files = [landings[0].object()?, landings[1].object()?];
        if files.iter().any(|&ino| self.mac.kind(ino) != Kind::File) {
            return Err(Errno::INVAL);
        }
        let asks = self.asking.choices().exchange;
        for landing in &landings {
            if asks == ExchangeAsks::ReadAndWrite {
                self.ask(Operation::FileReadData, landing);
            }
            self.ask(Operation::FileWriteData, landing);
        }
        for ino in files {
            self.permit(ino, Wish::Read)?;
            self.permit(ino, Wish::Write)?;
        }
        if self.mac.node(files[0]).volume != self.mac.node(files[1]).volume {
            return Err(Errno::XDEV);
        }
        Ok(Act::Exchange(files))
    }

    pub(super) fn unlink(&mut self, name: &Name) -> Result<Act, Errno> {
        let landing = self.look_up(name, Leaf::AsNamed)?;
        let (spot, ino) = named(&landing)?;
        if self.mac.kind(ino) == Kind::Directory {
            return Err(Errno::PERM);
        }
        self.ask(Operation::FileWriteUnlink, &landing);
        self.permit_taking(spot.folder, ino)?;
        Ok(Act::Remove(spot))
    }

    pub(super) fn remove_folder(&mut self, name: &Name) -> Result<Act, Errno> {
        let landing = self.look_up(name, Leaf::AsNamed)?;
        let (spot, ino) = named(&landing)?;
        if self.mac.kind(ino) != Kind::Directory {
            return Err(Errno::NOTDIR);
        }
        self.ask(Operation::FileWriteUnlink, &landing);
        self.permit_taking(spot.folder, ino)?;
        if self.mac.names_in(ino).next().is_some() {
            return Err(Errno::NOTEMPTY);
        }
        Ok(Act::Remove(spot))
    }

    fn same_volume(&self, one: Ino, other: Ino) -> Result<(), Errno> {
        if self.mac.node(one).volume == self.mac.node(other).volume {
            Ok(())
        } else {
            Err(Errno::XDEV)
        }
    }
}

/// The name and the object of a lookup that ended at a name: `.`, `..` and `/` are none.
fn named(landing: &Landing) -> Result<(Spot, Ino), Errno> {
    match landing {
        Landing::Folder(_) => Err(Errno::INVAL),
        Landing::Entry { folder, name, .. } => Ok((Spot::new(*folder, name), landing.object()?)),
    }
}
